<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>splitscope::ui::LastRun</name>
    <message>
        <source>Each micro-batch of the prompt and each token is one run of the schedule; of the prompt, the last is shown</source>
        <translation>提示的每个微批次和每个词元各是一次调度运行；提示显示最后一次</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步进</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Pass stepper</source>
        <translation>逐轮步进</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
</context>
<context>
    <name>splitscope::Message</name>
    <message>
        <source>there is no such shader</source>
        <translation>没有这样的着色器</translation>
    </message>
    <message>
        <source>report this bug</source>
        <translation>请报告此问题</translation>
    </message>
    <message>
        <source>No devices were given, so {machine} is assumed. Use --device this to plan for this computer.</source>
        <translation>未指定设备：假定为 {machine}。--device this 为本机制定计划。</translation>
    </message>
    <message>
        <source>No CPU was given, so {cpu} is assumed. Add one to --device, or use --device this to plan for this computer.</source>
        <translation>未指定 CPU：假定为 {cpu}。请在 --device 中加上一个，或用 --device this 为本机制定计划。</translation>
    </message>
    <message>
        <source>leave --run out</source>
        <translation>请去掉 --run</translation>
    </message>
    <message>
        <source>measure only the prompt with --tokens 0</source>
        <translation>用 --tokens 0 只测量提示</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>a context of {context} cells cannot hold {tokens} tokens</source>
        <translation>{context} 个单元的上下文无法容纳 {tokens} 个词元</translation>
    </message>
    <message>
        <source>raise it, or leave it out</source>
        <translation>请增大该值，或将其省略</translation>
    </message>
    <message>
        <source>run {number} of {count}</source>
        <translation>第 {number} 次运行，共 {count} 次</translation>
    </message>
    <message numerus="yes">
        <source>{nodes} compared, {count} exceed their tolerance</source>
        <translation>
            <numerusform>比较了{nodes}，{count} 个超出容差</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{kernels} compared node by node, {count} exceed their tolerance</source>
        <translation>
            <numerusform>逐节点比较了{kernels}，{count} 个超出容差</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} fused kernels</source>
        <translation>
            <numerusform>{count} 个融合内核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>DIFFERENT, {count} of {nodes} exceed their tolerance</source>
        <translation>
            <numerusform>不同，{nodes}中有 {count} 个超出容差</numerusform>
        </translation>
    </message>
    <message>
        <source>two generations are needed, got {count}</source>
        <translation>需要两个世代，得到 {count} 个</translation>
    </message>
    <message>
        <source>unknown generation &apos;{name}&apos;</source>
        <translation>没有世代“{name}”</translation>
    </message>
    <message>
        <source>choose two of 2024-01, 2024-10, 2025-06, 2026-08</source>
        <translation>请从 2024-01、2024-10、2025-06、2026-08 中指定两个</translation>
    </message>
    <message>
        <source>unexpected error</source>
        <translation>意外故障</translation>
    </message>
    <message>
        <source>try again; if it happens again, report it with this line and the command</source>
        <translation>请重试；若再次出现，请连同此行和命令一并报告</translation>
    </message>
    <message>
        <source>standard output</source>
        <translation>标准输出</translation>
    </message>
    <message>
        <source>check that the program reading the output is still running, or that the disk has free space</source>
        <translation>请检查读取输出的程序是否仍在运行，或磁盘是否有可用空间</translation>
    </message>
    <message>
        <source>this result cannot go to standard output</source>
        <translation>此结果不能写到标准输出</translation>
    </message>
    <message>
        <source>give a file name; for a file named &apos;-&apos;, write ./-</source>
        <translation>请给出文件名；若文件名就是“-”，请写 ./-</translation>
    </message>
    <message>
        <source>two results would be written to this file, and one would be lost</source>
        <translation>两个结果会写入此文件，其中一个会丢失</translation>
    </message>
    <message>
        <source>give each result its own file</source>
        <translation>请为每个结果指定各自的文件</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not of the form NODE=FILE.npy</source>
        <translation>“{text}”不是 NODE=FILE.npy 的形式</translation>
    </message>
    <message>
        <source>give a node and a file, e.g. kq-0=kq.npy or Qcur-0@ROPE=q.npy</source>
        <translation>请给出节点和文件，例如 kq-0=kq.npy 或 Qcur-0@ROPE=q.npy</translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes are named &apos;{name}&apos;</source>
        <translation>
            <numerusform>有 {count} 个节点名为“{name}”</numerusform>
        </translation>
    </message>
    <message>
        <source>no node &apos;{name}&apos; was computed</source>
        <translation>没有计算过节点“{name}”</translation>
    </message>
    <message>
        <source>see &apos;splitscope report MODEL --table nodes&apos; for the names</source>
        <translation>名称见“splitscope report MODEL --table nodes”</translation>
    </message>
    <message>
        <source>did you mean &apos;{name}&apos;? Views and weights are not computed; &apos;splitscope report MODEL --table nodes&apos; lists the nodes</source>
        <translation>您是指“{name}”吗？视图和权重不参与计算；“splitscope report MODEL --table nodes”会列出节点</translation>
    </message>
    <message>
        <source>cannot create a temporary file: {reason}</source>
        <translation>无法创建临时文件：{reason}</translation>
    </message>
    <message>
        <source>free some space in the folder for temporary files</source>
        <translation>请在临时文件所在文件夹腾出一些空间</translation>
    </message>
    <message>
        <source>cannot create a pipe: {reason}</source>
        <translation>无法创建管道：{reason}</translation>
    </message>
    <message>
        <source>cannot start a process: {reason}</source>
        <translation>无法启动进程：{reason}</translation>
    </message>
    <message>
        <source>Graphviz (dot) was not found</source>
        <translation>找不到 Graphviz（dot）</translation>
    </message>
    <message>
        <source>install graphviz, or write the graph with --format dot</source>
        <translation>请安装 graphviz，或用 --format dot 写出图</translation>
    </message>
    <message>
        <source>it was killed by signal {number}</source>
        <translation>它被信号 {number} 终止</translation>
    </message>
    <message>
        <source>it produced no output</source>
        <translation>它什么也没画</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>没有给出原因</translation>
    </message>
    <message>
        <source>Graphviz wrote more than {limit} MiB</source>
        <translation>Graphviz 写出了超过 {limit} MiB</translation>
    </message>
    <message>
        <source>write the graph with --format dot and draw it elsewhere</source>
        <translation>请用 --format dot 写出图，在别处绘制</translation>
    </message>
    <message>
        <source>Graphviz did not finish within {seconds} s</source>
        <translation>Graphviz 已绘制 {seconds} 秒</translation>
    </message>
    <message>
        <source>allow more time with --draw-seconds, or write the graph with --format dot</source>
        <translation>请用 --format dot 写出图，或用 --draw-seconds 给予更多时间</translation>
    </message>
    <message>
        <source>cannot pass the graph to Graphviz</source>
        <translation>无法把图交给 Graphviz</translation>
    </message>
    <message>
        <source>temporary file</source>
        <translation>临时文件</translation>
    </message>
    <message>
        <source>Graphviz failed: {reason}</source>
        <translation>Graphviz 失败：{reason}</translation>
    </message>
    <message>
        <source>drawing with Graphviz</source>
        <translation>正在用 Graphviz 绘制</translation>
    </message>
    <message>
        <source>the name of a graph file must end in graph.json</source>
        <translation>图文件的名称须以 graph.json 结尾</translation>
    </message>
    <message>
        <source>choose a name such as mine.graph.json</source>
        <translation>请选用 mine.graph.json 之类的名称</translation>
    </message>
    <message>
        <source>a model is not a recorded graph</source>
        <translation>模型不是记录的图</translation>
    </message>
    <message>
        <source>give a log, a recording or a dump; for a model, use &apos;splitscope inspect&apos;</source>
        <translation>请给出日志、记录或转储；模型请用 inspect</translation>
    </message>
    <message>
        <source>no backend of the machine belongs to the table&apos;s families</source>
        <translation>机器中没有属于该表所列系列的后端</translation>
    </message>
    <message>
        <source>name its backends by family and number, e.g. CUDA0</source>
        <translation>请按系列和编号命名其后端，例如 CUDA0</translation>
    </message>
    <message>
        <source>a support table needs a machine to change and a file for the result</source>
        <translation>支持表需要一台待修改的机器和一个结果文件</translation>
    </message>
    <message>
        <source>give --machine and --output, or neither</source>
        <translation>请同时给出 --machine 和 --output，或两者都不给</translation>
    </message>
    <message>
        <source>cannot install the signal handler: {reason}</source>
        <translation>无法安装信号处理程序：{reason}</translation>
    </message>
    <message>
        <source>unknown type &apos;{name}&apos;</source>
        <translation>没有类型“{name}”</translation>
    </message>
    <message>
        <source>use a name such as f16, q8_0, q4_0 or q4_K</source>
        <translation>请使用 f16、q8_0、q4_0 或 q4_K 之类的名称</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a share</source>
        <translation>“{text}”不是份额</translation>
    </message>
    <message>
        <source>give numbers separated by commas, e.g. 3,1</source>
        <translation>请给出用逗号分隔的数，例如 3,1</translation>
    </message>
    <message>
        <source>llama.cpp refuses {count} shares</source>
        <translation>llama.cpp 拒绝 {count} 个份额</translation>
    </message>
    <message>
        <source>give at most {limit}</source>
        <translation>最多给出 {limit} 个</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a number of layers</source>
        <translation>“{text}”不是层数</translation>
    </message>
    <message>
        <source>free memory exceeds total memory</source>
        <translation>空闲内存多于总内存</translation>
    </message>
    <message>
        <source>give at most &apos;memory_total&apos;, or 0 there if it is not known</source>
        <translation>请给出不超过“memory_total”的值；未知时在那里写 0</translation>
    </message>
    <message>
        <source>programs of {generation} do not know &apos;{text}&apos;</source>
        <translation>{generation} 的程序不认识“{text}”</translation>
    </message>
    <message>
        <source>give a number of layers, e.g. 99 for all</source>
        <translation>请给出层数，例如 99 表示全部</translation>
    </message>
    <message>
        <source>there is no element type &apos;{name}&apos;</source>
        <translation>没有元素类型“{name}”</translation>
    </message>
    <message>
        <source>use a name such as f32, f16, q8_0 or q4_0</source>
        <translation>请使用 f32、f16、q8_0 或 q4_0 之类的名称</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a valid number</source>
        <translation>“{text}”不是有效的数字</translation>
    </message>
    <message>
        <source>give a number from {least} to {most}</source>
        <translation>给出 {least} 到 {most} 之间的数字</translation>
    </message>
    <message>
        <source>give one of {choices}</source>
        <translation>给出其中之一：{choices}</translation>
    </message>
    <message>
        <source>{switch} has no value</source>
        <translation>{switch} 后面没有值</translation>
    </message>
    <message>
        <source>give it as the next argument</source>
        <translation>写在下一个词中</translation>
    </message>
    <message>
        <source>Remove the rule</source>
        <translation>移除规则</translation>
    </message>
    <message>
        <source>Use flash attention only where the devices have it</source>
        <translation>仅在设备支持时使用 Flash 注意力</translation>
    </message>
    <message>
        <source>Place one layer fewer on the devices</source>
        <translation>在设备上少放一层</translation>
    </message>
    <message>
        <source>Turn op offload off</source>
        <translation>关闭运算卸载</translation>
    </message>
    <message>
        <source>Use larger micro-batches</source>
        <translation>使用更大的微批次</translation>
    </message>
    <message>
        <source>{tensor} is on {ours} but was recorded on {recorded}</source>
        <translation>{tensor} 在 {ours} 上，记录中在 {recorded} 上</translation>
    </message>
    <message>
        <source>{tensor} is on no backend but was recorded on {recorded}</source>
        <translation>{tensor} 不在任何后端上，记录中在 {recorded} 上</translation>
    </message>
    <message numerus="yes">
        <source>{count} of {compared} tensors are on other backends than recorded</source>
        <translation>
            <numerusform>{compared} 个张量中有 {count} 个不在记录的位置</numerusform>
        </translation>
    </message>
    <message>
        <source>split {split} is the first that differs from the recorded ones</source>
        <translation>分段 {split} 是第一个与记录不同的</translation>
    </message>
    <message>
        <source>choose the machine and the generation of the recording</source>
        <translation>选择记录时的机器和代际</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a number of tokens</source>
        <translation>“{text}”不是词元数</translation>
    </message>
    <message>
        <source>give a number, as for llama-bench</source>
        <translation>请给出一个数，与 llama-bench 的写法相同</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>请删除它</translation>
    </message>
    <message>
        <source>&apos;suggest&apos; chooses this itself</source>
        <translation>“suggest”会自行选择此项</translation>
    </message>
    <message>
        <source>leave it out</source>
        <translation>请去掉它</translation>
    </message>
    <message>
        <source>has no effect on {file}, a graph whose tensors are already placed</source>
        <translation>对 {file} 没有作用：图中的张量已有位置</translation>
    </message>
    <message>
        <source>{file} contains only one graph</source>
        <translation>{file} 只有一个图</translation>
    </message>
    <message>
        <source>{machine} with {graph}</source>
        <translation>{machine} 与 {graph}</translation>
    </message>
    <message>
        <source>has no effect on a report in {format}</source>
        <translation>对 {format} 格式的报告没有作用</translation>
    </message>
    <message>
        <source>has no effect without --run</source>
        <translation>没有 --run 时不起作用</translation>
    </message>
    <message>
        <source>add --run or leave it out</source>
        <translation>请加上 --run 或去掉它</translation>
    </message>
    <message>
        <source>give its file name</source>
        <translation>请给出其文件名</translation>
    </message>
    <message>
        <source>give one of them</source>
        <translation>请只给出其中一个</translation>
    </message>
    <message>
        <source>both a file and --graph were given</source>
        <translation>同时给出了文件和 --graph</translation>
    </message>
    <message>
        <source>leave one of them out</source>
        <translation>请去掉其中之一</translation>
    </message>
    <message>
        <source>the graph has no such tensor</source>
        <translation>图中没有这样的张量</translation>
    </message>
    <message>
        <source>use a name of its nodes or weights, or NAME@OP#N</source>
        <translation>请使用其节点或权重的名称，或 NAME@OP#N</translation>
    </message>
    <message>
        <source>a recorded graph has no weights or caches to place</source>
        <translation>图没有可放置的权重和缓存</translation>
    </message>
    <message>
        <source>open a model</source>
        <translation>请打开一个模型</translation>
    </message>
    <message>
        <source>both every node and breakpoints were requested</source>
        <translation>同时要求了每个节点和断点</translation>
    </message>
    <message>
        <source>there are breakpoints, but no function to call at them</source>
        <translation>设置了断点，却没有处理它们的回调</translation>
    </message>
    <message>
        <source>give on_stop</source>
        <translation>请给出 on_stop</translation>
    </message>
    <message>
        <source>no file was given</source>
        <translation>没有给出文件</translation>
    </message>
    <message>
        <source>give a model, or a graph with --graph</source>
        <translation>请给出模型，或用 --graph 给出图</translation>
    </message>
    <message>
        <source>see {command}</source>
        <translation>见 {command}</translation>
    </message>
    <message>
        <source>did you mean {name}? See {command}</source>
        <translation>您是指 {name} 吗？见 {command}</translation>
    </message>
    <message>
        <source>did you mean {name}? Or see {command}</source>
        <translation>您是指 {name} 吗？或见 {command}</translation>
    </message>
    <message>
        <source>no such file or command</source>
        <translation>没有这样的文件或命令</translation>
    </message>
    <message>
        <source>the recorder is missing</source>
        <translation>缺少记录器</translation>
    </message>
    <message>
        <source>reinstall Splitscope</source>
        <translation>请重新安装 Splitscope</translation>
    </message>
    <message>
        <source>folder for temporary files</source>
        <translation>临时文件所在文件夹</translation>
    </message>
    <message>
        <source>set TMPDIR to a writable folder</source>
        <translation>请把 TMPDIR 设为可写的文件夹</translation>
    </message>
    <message>
        <source>no library can be preloaded from a folder with a space or a colon in its name</source>
        <translation>名称含空格或冒号的文件夹中的库无法预加载</translation>
    </message>
    <message>
        <source>cannot start: {reason}</source>
        <translation>无法启动：{reason}</translation>
    </message>
    <message>
        <source>cannot create a link to the recorder: {reason}</source>
        <translation>无法创建指向记录器的链接：{reason}</translation>
    </message>
    <message>
        <source>give an executable program</source>
        <translation>请指定可以运行的程序</translation>
    </message>
    <message>
        <source>cannot open the debug channel: {reason}</source>
        <translation>无法打开调试通道：{reason}</translation>
    </message>
    <message>
        <source>its path is too long</source>
        <translation>其路径过长</translation>
    </message>
    <message>
        <source>invalid message from the program: {what}</source>
        <translation>程序发来的消息无效：{what}</translation>
    </message>
    <message>
        <source>it ended with exit code {code} before its first graph</source>
        <translation>它在第一个图之前以退出码 {code} 结束</translation>
    </message>
    <message>
        <source>it was killed by signal {number} before its first graph</source>
        <translation>它在第一个图之前被信号 {number} 终止</translation>
    </message>
    <message>
        <source>it was killed by signal {number} before its first graph: {words}</source>
        <translation>它在第一个图之前被信号 {number} 终止：{words}</translation>
    </message>
    <message>
        <source>check its output, and try to run it without Splitscope</source>
        <translation>请查看其输出，并单独运行它</translation>
    </message>
    <message>
        <source>it computed no graph</source>
        <translation>它没有计算任何图</translation>
    </message>
    <message>
        <source>give it a prompt or another input to compute</source>
        <translation>请给它提示词或其他需要计算的输入</translation>
    </message>
    <message>
        <source>the program sends requests without reading the answers</source>
        <translation>程序不断发送请求而不读取应答</translation>
    </message>
    <message>
        <source>the program continues; start it again to debug it</source>
        <translation>程序继续运行；请重新启动以进行调试</translation>
    </message>
    <message>
        <source>the program is running</source>
        <translation>程序正在运行</translation>
    </message>
    <message>
        <source>pause the program first</source>
        <translation>请先暂停程序</translation>
    </message>
    <message>
        <source>the program has ended</source>
        <translation>程序已结束</translation>
    </message>
    <message>
        <source>no such tensor in the current graph</source>
        <translation>当前计算图中没有此张量</translation>
    </message>
    <message>
        <source>it is not allocated</source>
        <translation>它尚未分配内存</translation>
    </message>
    <message>
        <source>the range exceeds the tensor</source>
        <translation>范围超出张量</translation>
    </message>
    <message>
        <source>it is in a read-only file mapping</source>
        <translation>它位于只读的文件映射中</translation>
    </message>
    <message>
        <source>run the program with --no-mmap to edit weights</source>
        <translation>要编辑权重，请以 --no-mmap 运行程序</translation>
    </message>
    <message>
        <source>another process (pid {number}) also used ggml and was not debugged</source>
        <translation>另一个进程（pid {number}）也使用了 ggml，但未被调试</translation>
    </message>
    <message>
        <source>{count} other processes (the first: pid {number}) also used ggml and were not debugged</source>
        <translation>另有 {count} 个进程（第一个：pid {number}）也使用了 ggml，但未被调试</translation>
    </message>
    <message>
        <source>its values are repacked by the backend and cannot be read or written</source>
        <translation>其数值已由后端重新排列，无法读取或写入</translation>
    </message>
    <message>
        <source>run the program with --no-repack</source>
        <translation>请以 --no-repack 运行程序</translation>
    </message>
    <message>
        <source>'{node}' has overwritten its values</source>
        <translation>“{node}”已覆盖其数值</translation>
    </message>
    <message>
        <source>it exceeds {limit} bytes</source>
        <translation>它超过 {limit} 字节</translation>
    </message>
    <message>
        <source>no computation with the shared libraries of ggml was seen</source>
        <translation>未观察到使用 ggml 共享库的计算</translation>
    </message>
    <message>
        <source>build llama.cpp with -DBUILD_SHARED_LIBS=ON, or record its log with GGML_SCHED_DEBUG=2 and import that; programs with ggml linked statically cannot be attached to</source>
        <translation>用 -DBUILD_SHARED_LIBS=ON 构建 llama.cpp，或者用 GGML_SCHED_DEBUG=2 记录其日志并导入；静态链接 ggml 的程序无法附加</translation>
    </message>
    <message>
        <source>check its output; programs with ggml linked statically cannot be attached to</source>
        <translation>查看其输出；静态链接 ggml 的程序无法附加</translation>
    </message>
    <message>
        <source>the program cannot be debugged: {reason}</source>
        <translation>无法调试该程序：{reason}</translation>
    </message>
    <message>
        <source>record its log with GGML_SCHED_DEBUG=2 and import that instead</source>
        <translation>请改用 GGML_SCHED_DEBUG=2 记录其日志并导入</translation>
    </message>
    <message numerus="yes">
        <source>prompt of {count} tokens</source>
        <translation>
            <numerusform>{count} 个词元的提示</numerusform>
        </translation>
    </message>
    <message>
        <source>decode of one token</source>
        <translation>解码一个词元</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not valid</source>
        <translation>“{text}”无效</translation>
    </message>
    <message>
        <source>unknown key &apos;{key}&apos;</source>
        <translation>未知的键“{key}”</translation>
    </message>
    <message>
        <source>stop condition</source>
        <translation>停止条件</translation>
    </message>
    <message>
        <source>the recording cannot be read: {reason}</source>
        <translation>无法读取记录：{reason}</translation>
    </message>
    <message>
        <source>record again; the program must not change this folder for temporary files</source>
        <translation>请重新记录；程序不得改动此临时文件夹</translation>
    </message>
    <message>
        <source>nothing was recorded</source>
        <translation>没有记录到任何内容</translation>
    </message>
    <message>
        <source>the program does not use ggml as a shared library, or ended before it scheduled anything; run it with GGML_SCHED_DEBUG=2 and import its log instead</source>
        <translation>该程序未将 ggml 作为共享库使用，或在调度任何内容之前就已结束；请设置 GGML_SCHED_DEBUG=2 运行它，然后导入其日志</translation>
    </message>
    <message>
        <source>the recording is kept in {folder}: free some space, write it with splitscope record --from {folder} -o FILE, then remove the folder</source>
        <translation>记录保留在 {folder}：请腾出空间，用 splitscope record --from {folder} -o FILE 写出，然后删除该文件夹</translation>
    </message>
    <message>
        <source>no program was given</source>
        <translation>没有给出程序</translation>
    </message>
    <message>
        <source>put it after &apos;--&apos;: splitscope record -- PROGRAM ARGS</source>
        <translation>请把它放在两个短横之后：splitscope record -- PROGRAM ARGS</translation>
    </message>
    <message>
        <source>cannot tell the format from the file name</source>
        <translation>文件名不能确定格式</translation>
    </message>
    <message>
        <source>use a name ending in .html, .pdf, .md, .json, .csv, .trace.json, .dot, .svg or .png, or give --format</source>
        <translation>请以 .html、.pdf、.md、.json、.csv、.trace.json、.dot、.svg 或 .png 结尾，或给出 --format</translation>
    </message>
    <message>
        <source>there is no section &apos;{name}&apos;</source>
        <translation>没有章节“{name}”</translation>
    </message>
    <message>
        <source>PDF is written by the desktop, which this build lacks</source>
        <translation>此程序构建时不含桌面部分，而 PDF 由它写出</translation>
    </message>
    <message>
        <source>write HTML and print it from a browser</source>
        <translation>请写出 HTML 并从浏览器打印</translation>
    </message>
    <message>
        <source>binary data is not written to a terminal</source>
        <translation>二进制数据不适合终端</translation>
    </message>
    <message>
        <source>give a file with --output</source>
        <translation>请用 --output 给出文件</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>BLAS library with the CPU</source>
        <translation>BLAS 库与 CPU</translation>
    </message>
    <message>
        <source>no CPU of the machine shares its memory</source>
        <translation>机器中没有与它共享内存的 CPU</translation>
    </message>
    <message>
        <source>give a prompt of 32 tokens or more: BLAS computes only products whose three dimensions are all 32 or more</source>
        <translation>请给出不少于 32 个词元的提示：BLAS 只计算三个维都不小于 32 的乘积</translation>
    </message>
    <message>
        <source>{op} reads row {row} of a table with {rows} rows</source>
        <translation>{op} 要求第 {row} 行，而表只有 {rows} 行</translation>
    </message>
    <message>
        <source>give row indices within the table</source>
        <translation>请给出表内的下标</translation>
    </message>
    <message>
        <source>selects expert {expert}, but there are only {experts}</source>
        <translation>要求专家 {expert}，共有 {experts} 个</translation>
    </message>
    <message>
        <source>give ids of existing experts</source>
        <translation>请给出权重范围内的专家编号</translation>
    </message>
    <message>
        <source>{op} reads state {state}, but there are only {states}</source>
        <translation>{op} 要求状态 {state}，共有 {states} 个</translation>
    </message>
    <message>
        <source>give ids of existing states</source>
        <translation>请给出状态范围内的编号</translation>
    </message>
    <message>
        <source>cannot allocate a work buffer of {bytes} bytes</source>
        <translation>无法分配 {bytes} 字节的工作缓冲区</translation>
    </message>
    <message>
        <source>use a smaller batch</source>
        <translation>请使用较小的批次</translation>
    </message>
    <message>
        <source>the memory belongs to a file mapped read-only</source>
        <translation>该内存属于以只读方式映射的文件</translation>
    </message>
    <message>
        <source>copy the tensor into a buffer of its own before changing it</source>
        <translation>更改之前请先把张量复制到它自己的缓冲区</translation>
    </message>
    <message>
        <source>the memory starts {bytes} bytes past a multiple of {alignment}</source>
        <translation>该内存起始于 {alignment} 的倍数之后 {bytes} 字节</translation>
    </message>
    <message>
        <source>copy it into a buffer of the backend&apos;s type</source>
        <translation>请把它复制到此类型的缓冲区</translation>
    </message>
    <message>
        <source>cannot start {threads} threads</source>
        <translation>无法启动 {threads} 个线程</translation>
    </message>
    <message>
        <source>close other programs or use fewer threads (--threads)</source>
        <translation>关闭其他程序或使用更少的线程（--threads）</translation>
    </message>
    <message>
        <source>the plan was created by another backend</source>
        <translation>该计划由另一个后端制定</translation>
    </message>
    <message>
        <source>compute it with the backend that created it</source>
        <translation>请用制定它的后端计算</translation>
    </message>
    <message>
        <source>not a CPU backend</source>
        <translation>不是 CPU 后端</translation>
    </message>
    <message>
        <source>pass a CPU backend</source>
        <translation>请传入 CPU 的后端</translation>
    </message>
    <message>
        <source>the tensor is not in host memory</source>
        <translation>张量不在主机内存中</translation>
    </message>
    <message>
        <source>place it in a buffer of the CPU&apos;s type</source>
        <translation>请把它放到 CPU 类型的缓冲区中</translation>
    </message>
    <message>
        <source>the tensor is not in the memory of {device}</source>
        <translation>张量不在 {device} 的内存中</translation>
    </message>
    <message>
        <source>the engine does not know {op} with type {type}</source>
        <translation>引擎不支持类型为 {type} 的 {op}</translation>
    </message>
    <message>
        <source>place it in a buffer of the device&apos;s type</source>
        <translation>请将其放入该设备类型的缓冲区</translation>
    </message>
    <message>
        <source>{type} has no memory left for a buffer of {size}</source>
        <translation>{type} 没有空间容纳 {size} 的缓冲区</translation>
    </message>
    <message>
        <source>a buffer of {size} is larger than the device allows ({most})</source>
        <translation>{size} 的缓冲区超过了设备允许的大小（{most}）</translation>
    </message>
    <message>
        <source>{device} does not compute {op}</source>
        <translation>{device} 不计算 {op}</translation>
    </message>
    <message>
        <source>assign the node to another backend</source>
        <translation>请将节点指定给其他后端</translation>
    </message>
    <message>
        <source>the event belongs to another device</source>
        <translation>该事件属于另一个设备</translation>
    </message>
    <message>
        <source>use an event of the backend&apos;s own device</source>
        <translation>请使用后端自身设备的事件</translation>
    </message>
    <message>
        <source>cannot allocate {bytes} bytes</source>
        <translation>无法分配 {bytes} 字节</translation>
    </message>
    <message>
        <source>cannot allocate {bytes} bytes: only {available} bytes are available</source>
        <translation>无法分配 {bytes} 字节，计算机只剩 {available} 字节</translation>
    </message>
    <message>
        <source>close other programs, or use a smaller model, context or batch</source>
        <translation>请关闭其他程序，或使用较小的模型、上下文或批次</translation>
    </message>
    <message>
        <source>there is no device &apos;{name}&apos; ({reasons})</source>
        <translation>没有设备“{name}”（{reasons}）</translation>
    </message>
    <message>
        <source>choose from: {names}</source>
        <translation>请从中选择：{names}</translation>
    </message>
    <message>
        <source>{device}: {reason}</source>
        <translation>{device}：{reason}</translation>
    </message>
    <message>
        <source>the Vulkan loader (libvulkan.so.1) was not found</source>
        <translation>没有 Vulkan 加载器（libvulkan.so.1）</translation>
    </message>
    <message>
        <source>install the package libvulkan1 and a driver</source>
        <translation>请安装软件包 libvulkan1 和驱动程序</translation>
    </message>
    <message>
        <source>the Vulkan loader is older than 1.2</source>
        <translation>Vulkan 加载器早于 1.2</translation>
    </message>
    <message>
        <source>update the package libvulkan1</source>
        <translation>请更新软件包 libvulkan1</translation>
    </message>
    <message>
        <source>the Vulkan validation layer is not installed</source>
        <translation>没有安装 Vulkan 验证层</translation>
    </message>
    <message>
        <source>install the package vulkan-validationlayers</source>
        <translation>请安装软件包 vulkan-validationlayers</translation>
    </message>
    <message>
        <source>no driver provides a Vulkan device</source>
        <translation>没有驱动程序提供 Vulkan 设备</translation>
    </message>
    <message>
        <source>its driver supports only Vulkan {version}; 1.2 is required</source>
        <translation>其驱动只提供 Vulkan {version}；需要 1.2</translation>
    </message>
    <message>
        <source>it does not support buffer device addresses</source>
        <translation>它没有缓冲区设备地址</translation>
    </message>
    <message>
        <source>it does not support timeline semaphores</source>
        <translation>它没有时间线信号量</translation>
    </message>
    <message>
        <source>it does not support 8-bit storage</source>
        <translation>它不能读取单个字节（8 位存储）</translation>
    </message>
    <message>
        <source>it does not support the standard uniform-buffer layout</source>
        <translation>它没有标准布局的 uniform 块</translation>
    </message>
    <message>
        <source>it does not support 16-bit storage</source>
        <translation>它不能读取 16 位数（16 位存储）</translation>
    </message>
    <message>
        <source>it does not support 64-bit integers in shaders</source>
        <translation>它的着色器中没有 64 位整数</translation>
    </message>
    <message>
        <source>it has no compute queue</source>
        <translation>它没有计算队列</translation>
    </message>
    <message>
        <source>there is no Vulkan device {index} of {count}</source>
        <translation>没有 Vulkan 设备 {index}，共有 {count} 个</translation>
    </message>
    <message>
        <source>list them with &apos;splitscope devices&apos;</source>
        <translation>用“splitscope devices”列出它们</translation>
    </message>
    <message>
        <source>there is no such device</source>
        <translation>没有这样的设备</translation>
    </message>
    <message>
        <source>update the driver, or run on the CPU</source>
        <translation>请更新驱动程序，或在 CPU 上运行</translation>
    </message>
    <message>
        <source>Vulkan {version}, largest buffer {buffer}, shared memory {shared}, work groups of {invocations}, subgroups of {lanes}</source>
        <translation>Vulkan {version}，最大缓冲区 {buffer}，共享内存 {shared}，工作组 {invocations}，子组 {lanes}</translation>
    </message>
    <message>
        <source>software implementation</source>
        <translation>由软件实现</translation>
    </message>
    <message>
        <source>Vulkan validation</source>
        <translation>Vulkan 验证</translation>
    </message>
    <message>
        <source>Check all Vulkan calls with the validation layer</source>
        <translation>用验证层检查 Vulkan 的每次使用</translation>
    </message>
    <message>
        <source>{action}: {result} ({code})</source>
        <translation>{action}：{result}（{code}）</translation>
    </message>
    <message>
        <source>cannot start Vulkan</source>
        <translation>无法启动 Vulkan</translation>
    </message>
    <message>
        <source>cannot open the device</source>
        <translation>无法打开设备</translation>
    </message>
    <message>
        <source>cannot set up the device</source>
        <translation>无法设置设备</translation>
    </message>
    <message>
        <source>cannot submit work</source>
        <translation>无法提交工作</translation>
    </message>
    <message>
        <source>cannot time the nodes</source>
        <translation>无法为节点计时</translation>
    </message>
    <message>
        <source>cannot read the times of the nodes</source>
        <translation>无法读取节点的时间</translation>
    </message>
    <message>
        <source>cannot create a descriptor set</source>
        <translation>无法创建描述符集</translation>
    </message>
    <message>
        <source>cannot record commands</source>
        <translation>无法录制命令</translation>
    </message>
    <message>
        <source>cannot create a pipeline layout</source>
        <translation>无法创建管线布局</translation>
    </message>
    <message>
        <source>cannot create a pipeline cache</source>
        <translation>无法创建管线缓存</translation>
    </message>
    <message>
        <source>cannot compile the shader &apos;{name}&apos;</source>
        <translation>无法编译着色器“{name}”</translation>
    </message>
    <message>
        <source>cannot load the shader &apos;{name}&apos;</source>
        <translation>无法加载着色器“{name}”</translation>
    </message>
    <message>
        <source>cannot create a command pool</source>
        <translation>无法创建命令池</translation>
    </message>
    <message>
        <source>cannot create a command buffer</source>
        <translation>无法创建命令缓冲区</translation>
    </message>
    <message>
        <source>cannot create a descriptor pool</source>
        <translation>无法创建描述符池</translation>
    </message>
    <message>
        <source>cannot finish earlier work</source>
        <translation>无法完成先前的工作</translation>
    </message>
    <message>
        <source>cannot finish the work before a transfer</source>
        <translation>无法完成传输之前的工作</translation>
    </message>
    <message>
        <source>cannot finish a transfer</source>
        <translation>无法完成传输</translation>
    </message>
    <message>
        <source>cannot finish the queued work</source>
        <translation>无法完成已排队的工作</translation>
    </message>
    <message>
        <source>cannot finish the work before a copy</source>
        <translation>无法完成复制之前的工作</translation>
    </message>
    <message>
        <source>cannot finish the work before an event</source>
        <translation>无法完成事件之前的工作</translation>
    </message>
    <message>
        <source>cannot use {bytes} bytes of host memory in place</source>
        <translation>无法就地使用 {bytes} 字节的主机内存</translation>
    </message>
    <message>
        <source>success</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>out of host memory</source>
        <translation>主机内存不足</translation>
    </message>
    <message>
        <source>out of device memory</source>
        <translation>设备内存不足</translation>
    </message>
    <message>
        <source>initialisation failed</source>
        <translation>初始化失败</translation>
    </message>
    <message>
        <source>device lost</source>
        <translation>设备丢失</translation>
    </message>
    <message>
        <source>layer not present</source>
        <translation>缺少层</translation>
    </message>
    <message>
        <source>extension not present</source>
        <translation>缺少扩展</translation>
    </message>
    <message>
        <source>feature not present</source>
        <translation>缺少功能</translation>
    </message>
    <message>
        <source>no Vulkan driver is installed</source>
        <translation>没有安装 Vulkan 驱动</translation>
    </message>
    <message>
        <source>too many objects</source>
        <translation>对象过多</translation>
    </message>
    <message>
        <source>the driver refuses this memory</source>
        <translation>驱动拒绝此内存</translation>
    </message>
    <message>
        <source>unknown error</source>
        <translation>未知故障</translation>
    </message>
    <message>
        <source>put fewer layers on the device, or use a smaller context or batch</source>
        <translation>请在设备上少放几层，或使用较小的上下文或批次</translation>
    </message>
    <message>
        <source>only memory of mapped files is used in place</source>
        <translation>只有映射文件的内存可以就地使用</translation>
    </message>
    <message>
        <source>run again on the CPU; the driver&apos;s log may say why the device was lost</source>
        <translation>请在 CPU 上重新运行；驱动程序的日志可能说明设备丢失的原因</translation>
    </message>
    <message>
        <source>the buffer is in read-only memory</source>
        <translation>该缓冲区位于只读内存之上</translation>
    </message>
    <message>
        <source>write to a buffer that owns its memory</source>
        <translation>请写入位于自有内存的缓冲区</translation>
    </message>
    <message>
        <source>a buffer of {bytes} bytes is larger than the device allows ({limit})</source>
        <translation>{bytes} 字节的缓冲区超过设备允许的大小（{limit}）</translation>
    </message>
    <message>
        <source>the device cannot use host memory in place</source>
        <translation>该设备不能就地使用主机内存</translation>
    </message>
    <message>
        <source>the memory does not begin at a multiple of {alignment}</source>
        <translation>该内存不起始于 {alignment} 的倍数</translation>
    </message>
    <message>
        <source>copy the data into a buffer of the device</source>
        <translation>请把数据复制到该设备的缓冲区</translation>
    </message>
    <message>
        <source>the event belongs to another engine</source>
        <translation>该事件属于另一个引擎</translation>
    </message>
    <message>
        <source>use it with a backend of its engine</source>
        <translation>请与其所属引擎的后端一起使用</translation>
    </message>
    <message>
        <source>the buffer is a read-only file mapping</source>
        <translation>该缓冲区是只读文件</translation>
    </message>
    <message>
        <source>the engine&apos;s scheduler takes devices of one engine only</source>
        <translation>引擎的调度器只接受同一个引擎的设备</translation>
    </message>
    <message>
        <source>give its devices with --backends, its CPU last</source>
        <translation>请用 --backends 指定它的设备，其 CPU 放在最后</translation>
    </message>
    <message>
        <source>the device has no scheduler of its own</source>
        <translation>该设备没有自带调度器</translation>
    </message>
    <message>
        <source>choose the folder of an engine with --engine, and its devices with --backends</source>
        <translation>选择引擎的文件夹（--engine）及其设备（--backends）</translation>
    </message>
    <message>
        <source>{tensor} is on {theirs} with the engine&apos;s scheduler, on {ours} in the simulation</source>
        <translation>{tensor}：它的调度器放在 {theirs}，我们的放在 {ours}</translation>
    </message>
    <message>
        <source>The engine&apos;s scheduler makes the same decisions as the simulation.</source>
        <translation>引擎的调度器与模拟的决策相同。</translation>
    </message>
    <message>
        <source>The engine&apos;s scheduler decides differently: {first}</source>
        <translation>引擎的调度器的决策不同：{first}</translation>
    </message>
    <message>
        <source>the engine&apos;s scheduler makes {theirs} splits, the simulation {ours}</source>
        <translation>它的调度器产生 {theirs} 个分段，我们的产生 {ours} 个</translation>
    </message>
    <message>
        <source>only the engine&apos;s scheduler copies {tensor} to {backend}</source>
        <translation>只有它的调度器把 {tensor} 复制到 {backend}</translation>
    </message>
    <message>
        <source>only the simulation copies {tensor} to {backend}</source>
        <translation>只有我们的调度器把 {tensor} 复制到 {backend}</translation>
    </message>
    <message>
        <source>the compute buffer of {backend} has {theirs} bytes with the engine&apos;s scheduler, {ours} in the simulation</source>
        <translation>{backend} 的计算缓冲区：它的调度器为 {theirs} 字节，我们的为 {ours} 字节</translation>
    </message>
    <message>
        <source>copy it in parts</source>
        <translation>请分部分复制</translation>
    </message>
    <message>
        <source>the data of another device did not arrive: {problem}</source>
        <translation>另一个设备的数据没有到达：{problem}</translation>
    </message>
    <message>
        <source>run again on the CPU</source>
        <translation>请在 CPU 上重新运行</translation>
    </message>
    <message>
        <source>an index points outside a source (on {device})</source>
        <translation>有下标指向源之外（在 {device} 上）</translation>
    </message>
    <message>
        <source>give indices inside the tensor</source>
        <translation>请给出张量内的下标</translation>
    </message>
    <message>
        <source>it is not computed, and no node reads it</source>
        <translation>它不被计算，也没有节点读取它</translation>
    </message>
    <message>
        <source>choose a node</source>
        <translation>请选择一个节点</translation>
    </message>
    <message>
        <source>{op} computes nothing, so no run stops at it</source>
        <translation>{op} 不计算任何东西，因此运行不会在它那里停下</translation>
    </message>
    <message>
        <source>set it on a node by name instead; the run stops at the first node that reads it</source>
        <translation>请改为按名称在节点上设断点：运行会在第一个读取它的节点停下</translation>
    </message>
    <message>
        <source>a model cannot have {count} parts</source>
        <translation>不可能有 {count} 个部分的模型</translation>
    </message>
    <message>
        <source>the parts do not belong together: download or split the model again</source>
        <translation>各部分不属于同一模型：请重新下载或拆分模型</translation>
    </message>
    <message>
        <source>this is part {number} of a model in {count} parts, but its name does not say so</source>
        <translation>这是 {count} 个部分的模型中的第 {number} 部分，但其名称没有标明</translation>
    </message>
    <message>
        <source>rename it to end in &apos;{ending}&apos;: the other parts are found by their names</source>
        <translation>请改名为以“{ending}”结尾：其他部分按名称查找</translation>
    </message>
    <message>
        <source>this is part {number} of a model in {count} parts</source>
        <translation>{count} 个部分的模型中的第 {number} 部分</translation>
    </message>
    <message>
        <source>open the first: {file}</source>
        <translation>请打开第一部分：{file}</translation>
    </message>
    <message>
        <source>part {number} of {count} is missing</source>
        <translation>缺少第 {number} 部分，共 {count} 部分</translation>
    </message>
    <message>
        <source>put it beside the first part, or download it again</source>
        <translation>请把它放在第一部分旁边，或重新下载</translation>
    </message>
    <message>
        <source>its metadata does not say that it is part {number} of {count}</source>
        <translation>其元数据未标明它是第 {number} 部分，共 {count} 部分</translation>
    </message>
    <message>
        <source>the parts contain {found} tensors, but the metadata states {stated}</source>
        <translation>各部分共有 {found} 个张量，模型有 {stated} 个</translation>
    </message>
    <message>
        <source>the tensor &apos;{name}&apos; is also in an earlier part</source>
        <translation>前面的部分已有张量“{name}”</translation>
    </message>
    <message>
        <source>{value} is not a multiple of {step}</source>
        <translation>{value} 不是 {step} 的倍数</translation>
    </message>
    <message>
        <source>use 0, 256, 512 …</source>
        <translation>请使用 0、256、512 …</translation>
    </message>
    <message>
        <source>other output within a graph: &quot;{text}&quot;</source>
        <translation>图中夹有其他输出：“{text}”</translation>
    </message>
    <message>
        <source>the architecture is not named</source>
        <translation>没有写明架构</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>is zero</source>
        <translation>为零</translation>
    </message>
    <message>
        <source>missing or zero</source>
        <translation>缺失或为零</translation>
    </message>
    <message>
        <source>is not finite</source>
        <translation>不是有限数</translation>
    </message>
    <message>
        <source>out of range</source>
        <translation>超出范围</translation>
    </message>
    <message>
        <source>has {entries} entries for {layers} layers</source>
        <translation>{layers} 层有 {entries} 个条目</translation>
    </message>
    <message>
        <source>heads have no width</source>
        <translation>注意力头没有宽度</translation>
    </message>
    <message>
        <source>has no layer with ratio {ratio}, without which llama.cpp stops</source>
        <translation>没有比率为 {ratio} 的层，llama.cpp 会因此中止</translation>
    </message>
    <message>
        <source>{heads} heads do not form {groups} groups of equal size</source>
        <translation>{heads} 个头不能分成 {groups} 个大小相等的组</translation>
    </message>
    <message>
        <source>{heads} heads cannot share {shared} KV heads in layer {layer}</source>
        <translation>第 {layer} 层的 {heads} 个头不能共享 {shared} 个键/值头</translation>
    </message>
    <message>
        <source>rows of {elements} elements are too long</source>
        <translation>{elements} 个元素的行过长</translation>
    </message>
    <message>
        <source>{value} is not an even number up to {limit}</source>
        <translation>{value} 不是不超过 {limit} 的偶数</translation>
    </message>
    <message>
        <source>does not divide the number of experts</source>
        <translation>不能整除专家数</translation>
    </message>
    <message>
        <source>the cycles do not fit the number of layers</source>
        <translation>循环次数与层数不符</translation>
    </message>
    <message>
        <source>has to be {width}, the width of the other blocks</source>
        <translation>必须为 {width}，即其他块的宽度</translation>
    </message>
    <message>
        <source>does not divide {width} channels</source>
        <translation>不能整除 {width} 个通道</translation>
    </message>
    <message>
        <source>fewer than 2 residual streams cannot be mixed</source>
        <translation>少于 2 条的残差流无法混合</translation>
    </message>
    <message>
        <source>layer {layer} has no recurrent state for its embeddings</source>
        <translation>第 {layer} 层没有用于其嵌入的循环状态</translation>
    </message>
    <message>
        <source>leaves no other block</source>
        <translation>没有留下其他块</translation>
    </message>
    <message>
        <source>is not a known routing method</source>
        <translation>不是已知的路由方式</translation>
    </message>
    <message>
        <source>only none, mean, first token, last token and ranking are supported</source>
        <translation>只支持 none、mean、首个词元、末个词元和排序</translation>
    </message>
    <message>
        <source>only a single loop is supported</source>
        <translation>只支持一次循环</translation>
    </message>
    <message>
        <source>leaves too few layers with a cache</source>
        <translation>留下的有缓存的层过少</translation>
    </message>
    <message>
        <source>is smaller than the rotated part</source>
        <translation>小于被旋转的部分</translation>
    </message>
    <message>
        <source>the graph builder of the architecture needs separate weights for queries, keys and values</source>
        <translation>该架构的图构建器需要分开的 Q、K、V 权重</translation>
    </message>
    <message>
        <source>open a recorded graph of the model</source>
        <translation>请打开该模型的捕获图</translation>
    </message>
    <message>
        <source>the encoder was not computed</source>
        <translation>编码器未被计算</translation>
    </message>
    <message>
        <source>use a model without an encoder</source>
        <translation>请使用没有编码器的模型</translation>
    </message>
    <message>
        <source>more than the number of experts</source>
        <translation>多于专家总数</translation>
    </message>
    <message>
        <source>{experts} experts in each of {blocks} blocks are too many</source>
        <translation>{blocks} 个块每块 {experts} 个，过多</translation>
    </message>
    <message>
        <source>{value} is not a valid epsilon</source>
        <translation>{value} 不是有效的 epsilon</translation>
    </message>
    <message>
        <source>{value} is not a valid RoPE frequency base</source>
        <translation>{value} 不是旋转位置编码的有效基数</translation>
    </message>
    <message>
        <source>{dimensions} dimensions cannot be rotated in pairs</source>
        <translation>{dimensions} 个维度不能成对旋转</translation>
    </message>
    <message>
        <source>is false, which llama.cpp does not support</source>
        <translation>为 false，llama.cpp 不支持</translation>
    </message>
    <message>
        <source>is {value}, not negative</source>
        <translation>为 {value}，不是负数</translation>
    </message>
    <message>
        <source>attention with 0 heads is impossible</source>
        <translation>不可能有 0 个头的注意力</translation>
    </message>
    <message>
        <source>{heads} heads cannot share {shared} KV heads</source>
        <translation>{heads} 个头不能共享 {shared} 个键和值的头</translation>
    </message>
    <message>
        <source>tensor &apos;{name}&apos;</source>
        <translation>张量“{name}”</translation>
    </message>
    <message>
        <source>its data begins at byte {offset}, inside that of the tensor before it, which ends at {end}</source>
        <translation>其数据起始于字节 {offset}，位于前一个张量的数据之内，后者结束于 {end}</translation>
    </message>
    <message>
        <source>its data begins at byte {offset}, not at {end}, where that of the tensor before it ends</source>
        <translation>其数据起始于字节 {offset}，而不是前一个张量的数据结束处 {end}</translation>
    </message>
    <message>
        <source>the file has no such tensor</source>
        <translation>文件中没有此张量</translation>
    </message>
    <message>
        <source>the architecture {architecture} needs it: convert the model again</source>
        <translation>架构 {architecture} 需要它：请重新转换模型</translation>
    </message>
    <message>
        <source>the shape is {found}, not {wanted}</source>
        <translation>形状是 {found}，而不是 {wanted}</translation>
    </message>
    <message>
        <source>has rows of {found} elements, not {wanted}</source>
        <translation>每行有 {found} 个元素，而不是 {wanted} 个</translation>
    </message>
    <message>
        <source>a dimension is {found}, not {wanted}</source>
        <translation>一个维度是 {found}，而不是 {wanted}</translation>
    </message>
    <message>
        <source>is stored as {found}, but read as {wanted}</source>
        <translation>存储为 {found}，但按 {wanted} 读取</translation>
    </message>
    <message>
        <source>has {found} entries, not {wanted}</source>
        <translation>有 {found} 个条目，而不是 {wanted} 个</translation>
    </message>
    <message>
        <source>is {found}, not {wanted}</source>
        <translation>是 {found}，而不是 {wanted}</translation>
    </message>
    <message>
        <source>has no entry for each layer</source>
        <translation>没有为每一层提供条目</translation>
    </message>
    <message>
        <source>leaves no layer with a sliding window</source>
        <translation>没有留下任何使用滑动窗口的层</translation>
    </message>
    <message>
        <source>no backend supports this weight in type {type}</source>
        <translation>没有后端支持 {type} 类型的此权重</translation>
    </message>
    <message>
        <source>llama.cpp does not scale NVFP4 weights of feed-forwards that have a bias</source>
        <translation>llama.cpp 不会缩放带偏置的 NVFP4 前馈权重</translation>
    </message>
    <message>
        <source>is not a known kind of vocabulary</source>
        <translation>不是已知的词表类型</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s loader for {architecture} does not use this tensor</source>
        <translation>llama.cpp 的 {architecture} 加载器不使用此张量</translation>
    </message>
    <message>
        <source>is not a known kind of scaling</source>
        <translation>不是已知的缩放方式</translation>
    </message>
    <message>
        <source>the metadata contradicts the tensors: convert the model again</source>
        <translation>元数据与张量矛盾：请重新转换模型</translation>
    </message>
    <message>
        <source>there is no graph builder for the architecture &apos;{architecture}&apos;</source>
        <translation>没有架构 &apos;{architecture}&apos; 的图构建器</translation>
    </message>
    <message>
        <source>open a recorded graph of it, or a model of: {architectures}</source>
        <translation>请打开它的捕获图，或以下架构的模型：{architectures}</translation>
    </message>
    <message>
        <source>models of the architecture {architecture} need operations that only the generation 2026-08 has</source>
        <translation>架构 {architecture} 的模型需要只有 2026-08 这一代才有的运算</translation>
    </message>
    <message>
        <source>choose the generation 2026-08</source>
        <translation>请选择 2026-08 这一代</translation>
    </message>
    <message>
        <source>No engine can load the file: {reason}.</source>
        <translation>没有引擎能加载此文件：{reason}。</translation>
    </message>
    <message>
        <source>The file holds no weights, only their description, so there is nothing to compute.</source>
        <translation>文件没有权重，只有其描述，因此没有可计算的内容。</translation>
    </message>
    <message>
        <source>The vocabulary is empty, so there are no tokens to compute.</source>
        <translation>词表为空，因此没有可计算的词元。</translation>
    </message>
    <message>
        <source>The sections of RoPE have {sum} dimensions, more than the {width} of a head.</source>
        <translation>旋转位置编码的各分段共有 {sum} 维，超过注意力头的 {width} 维。</translation>
    </message>
    <message>
        <source>Text cannot be tokenized: {reason}.</source>
        <translation>文本无法切分为词元：{reason}。</translation>
    </message>
    <message>
        <source>The file lists {found} of {wanted} tokens, so text cannot be tokenized.</source>
        <translation>文件只列出 {wanted} 个词元中的 {found} 个，因此文本无法切分为词元。</translation>
    </message>
    <message>
        <source>the file names no tokenizer</source>
        <translation>文件没有写明分词器</translation>
    </message>
    <message>
        <source>the tokenizer &apos;{name}&apos; is not supported</source>
        <translation>不支持分词器 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use a model with a &apos;llama&apos;, &apos;gpt2&apos;, &apos;gemma4&apos;, &apos;whitespace&apos;, &apos;hybriddna&apos;, &apos;bert&apos;, &apos;t5&apos;, &apos;plamo2&apos; or &apos;rwkv&apos; vocabulary</source>
        <translation>请使用词表为 &apos;llama&apos;、&apos;gpt2&apos;、&apos;gemma4&apos;、&apos;whitespace&apos;、&apos;hybriddna&apos;、&apos;bert&apos;、&apos;t5&apos;、&apos;plamo2&apos; 或 &apos;rwkv&apos; 的模型</translation>
    </message>
    <message>
        <source>the character map points outside itself</source>
        <translation>字符映射表指向其自身之外</translation>
    </message>
    <message>
        <source>the vocabulary lacks byte tokens</source>
        <translation>词表缺少单字节词元</translation>
    </message>
    <message>
        <source>there is no list of tokens</source>
        <translation>没有词元列表</translation>
    </message>
    <message>
        <source>there is no list of merges</source>
        <translation>没有合并列表</translation>
    </message>
    <message>
        <source>{left} of {device} remain, less than the {margin} that llama.cpp (--fit) keeps free by default: memory of the driver and of other programs is not part of the plan.</source>
        <translation>{device} 只剩 {left}，少于 llama.cpp（--fit）默认保留的 {margin}：驱动程序和其他程序占用的内存不在计划之内。</translation>
    </message>
    <message>
        <source>All {memory} of {device} are assumed to be free; {preset} plans with less.</source>
        <translation>假定 {device} 的 {memory} 全部可用；用 {preset} 可按更少的内存规划。</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s --fit will not change this, because layers, split or overrides are given; {device} has less than {margin} free.</source>
        <translation>llama.cpp 的 --fit 不会更改这一点，因为已给定层数、切分或覆盖规则；{device} 的空闲内存少于 {margin}。</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>experts, and layers only if that is not enough,</source>
        <translation>专家（仍不够时再加上层）</translation>
    </message>
    <message>
        <source>{device} has less than {margin} free, so llama.cpp (--fit) will move {parts} to the CPU. Its choice is not planned; use --fit off or give the layers.</source>
        <translation>{device} 的空闲内存少于 {margin}，因此 llama.cpp（--fit）会把{parts}移到 CPU。它的选择不在计划之内；请使用 --fit off 或给定层数。</translation>
    </message>
    <message>
        <source>{device} has less than {margin} free, so llama.cpp (--fit) will lower the context, then move {parts} to the CPU. Its choice is not planned; use --fit off, or give the context and the layers.</source>
        <translation>{device} 的空闲内存少于 {margin}，因此 llama.cpp（--fit）会降低上下文，然后把{parts}移到 CPU。它的选择不在计划之内；请使用 --fit off，或给定上下文和层数。</translation>
    </message>
    <message>
        <source>llama.cpp aborts on an assertion in flash attention for {architecture}; it runs without flash attention</source>
        <translation>llama.cpp 在 {architecture} 的 flash attention 中因断言失败而终止；不用 flash attention 则可运行</translation>
    </message>
    <message>
        <source>turn flash attention off (-fa off)</source>
        <translation>请关闭 flash attention（-fa off）</translation>
    </message>
    <message>
        <source>the machine does not state the memory of its devices</source>
        <translation>机器描述没有说明设备有多少内存</translation>
    </message>
    <message>
        <source>the file has no chat template</source>
        <translation>文件没有聊天模板</translation>
    </message>
    <message>
        <source>line {number} of the template</source>
        <translation>模板第 {number} 行</translation>
    </message>
    <message>
        <source>the chat template cannot be read: {what}</source>
        <translation>无法读取聊天模板：{what}</translation>
    </message>
    <message>
        <source>the chat template uses {what}, which is not supported</source>
        <translation>聊天模板使用了不支持的{what}</translation>
    </message>
    <message>
        <source>the chat template fails: {what}</source>
        <translation>聊天模板失败：{what}</translation>
    </message>
    <message>
        <source>the chat template exceeds a limit: {what}</source>
        <translation>聊天模板超出限制：{what}</translation>
    </message>
    <message>
        <source>the chat template refuses the messages: {what}</source>
        <translation>聊天模板拒绝这些消息：{what}</translation>
    </message>
    <message>
        <source>a comment is not closed</source>
        <translation>注释没有结束</translation>
    </message>
    <message>
        <source>a raw block is not closed</source>
        <translation>raw 块没有结束</translation>
    </message>
    <message>
        <source>a statement or an expression is not closed</source>
        <translation>语句或表达式没有结束</translation>
    </message>
    <message>
        <source>a string is not closed</source>
        <translation>字符串没有结束</translation>
    </message>
    <message>
        <source>an escape sequence lacks digits</source>
        <translation>转义序列缺少数字</translation>
    </message>
    <message>
        <source>&apos;{sign}&apos; without an opening bracket</source>
        <translation>“{sign}”没有对应的左括号</translation>
    </message>
    <message>
        <source>unexpected character &apos;{character}&apos;</source>
        <translation>意外的字符“{character}”</translation>
    </message>
    <message>
        <source>unexpected &apos;{token}&apos;</source>
        <translation>意外的“{token}”</translation>
    </message>
    <message>
        <source>{wanted} expected, found &apos;{found}&apos;</source>
        <translation>应为{wanted}，实际为“{found}”</translation>
    </message>
    <message>
        <source>&apos;{statement}&apos; outside a loop</source>
        <translation>循环之外的“{statement}”</translation>
    </message>
    <message>
        <source>a parameter without a default follows one with a default</source>
        <translation>无默认值的参数位于有默认值的参数之后</translation>
    </message>
    <message>
        <source>&apos;{token}&apos;</source>
        <translation>“{token}”</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>a named argument</source>
        <translation>具名参数</translation>
    </message>
    <message>
        <source>&apos;and&apos;, &apos;or&apos; or &apos;else&apos;</source>
        <translation>“and”、“or”或“else”</translation>
    </message>
    <message>
        <source>a number followed by letters</source>
        <translation>后接字母的数字</translation>
    </message>
    <message>
        <source>the escape sequence \{letter}</source>
        <translation>转义序列 \{letter}</translation>
    </message>
    <message>
        <source>an escape sequence for an invalid character</source>
        <translation>表示无效字符的转义序列</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; on a string that is not ASCII</source>
        <translation>对非 ASCII 字符串的“{function}”</translation>
    </message>
    <message>
        <source>character classes of a string that is not ASCII</source>
        <translation>非 ASCII 字符串的字符类别</translation>
    </message>
    <message>
        <source>integers of more than 64 bits</source>
        <translation>超过 64 位的整数</translation>
    </message>
    <message>
        <source>unpacked arguments (* or **)</source>
        <translation>展开的参数（* 或 **）</translation>
    </message>
    <message>
        <source>a filter name with a dot</source>
        <translation>带点的过滤器名称</translation>
    </message>
    <message>
        <source>the statement &apos;{name}&apos;</source>
        <translation>语句“{name}”</translation>
    </message>
    <message>
        <source>recursive loops</source>
        <translation>递归循环</translation>
    </message>
    <message>
        <source>a filter on a set block</source>
        <translation>set 块上的过滤器</translation>
    </message>
    <message>
        <source>a macro inside a loop or another block</source>
        <translation>循环或其他块内的宏</translation>
    </message>
    <message>
        <source>the test &apos;{name}&apos;</source>
        <translation>测试“{name}”</translation>
    </message>
    <message>
        <source>the filter &apos;{name}&apos;</source>
        <translation>过滤器“{name}”</translation>
    </message>
    <message>
        <source>a limited &apos;rsplit&apos; at whitespace</source>
        <translation>在空白处限次的“rsplit”</translation>
    </message>
    <message>
        <source>the method {type}.{name}()</source>
        <translation>方法 {type}.{name}()</translation>
    </message>
    <message>
        <source>the attribute &apos;{name}&apos;</source>
        <translation>属性“{name}”</translation>
    </message>
    <message>
        <source>the name &apos;{name}&apos;</source>
        <translation>名称“{name}”</translation>
    </message>
    <message>
        <source>other arguments of &apos;{function}&apos;</source>
        <translation>“{function}”的其他参数</translation>
    </message>
    <message>
        <source>positional arguments of &apos;{function}&apos;</source>
        <translation>“{function}”的位置参数</translation>
    </message>
    <message>
        <source>the argument &apos;{name}&apos; of &apos;{function}&apos;</source>
        <translation>“{function}”的参数“{name}”</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; on a value of type {type}</source>
        <translation>对 {type} 类型的值的“{function}”</translation>
    </message>
    <message>
        <source>&apos;int&apos; on a string that is not a plain number</source>
        <translation>对并非普通数字的字符串的“int”</translation>
    </message>
    <message>
        <source>numeric attributes</source>
        <translation>数字属性</translation>
    </message>
    <message>
        <source>a generator that is iterated twice</source>
        <translation>被遍历两次的生成器</translation>
    </message>
    <message>
        <source>the order of lists</source>
        <translation>列表的顺序</translation>
    </message>
    <message>
        <source>the quoting of unprintable characters</source>
        <translation>不可打印字符的引用形式</translation>
    </message>
    <message>
        <source>a number in JSON that is not finite</source>
        <translation>JSON 中的非有限数</translation>
    </message>
    <message>
        <source>the comparison of views or generators</source>
        <translation>视图或生成器的比较</translation>
    </message>
    <message>
        <source>the printing of a range or of a dictionary&apos;s view</source>
        <translation>range 或字典视图的输出</translation>
    </message>
    <message>
        <source>the printing of a value of type {type}</source>
        <translation>{type} 类型的值的输出</translation>
    </message>
    <message>
        <source>an indent that is neither a number nor a string</source>
        <translation>既非数字也非字符串的缩进</translation>
    </message>
    <message>
        <source>a namespace inside a namespace</source>
        <translation>命名空间内的命名空间</translation>
    </message>
    <message>
        <source>dictionary keys that are not strings</source>
        <translation>非字符串的字典键</translation>
    </message>
    <message>
        <source>an index into a range or into a dictionary&apos;s view</source>
        <translation>对 range 或字典视图的索引</translation>
    </message>
    <message>
        <source>string formatting with %</source>
        <translation>用 % 格式化字符串</translation>
    </message>
    <message>
        <source>the repetition of a list with *</source>
        <translation>用 * 重复列表</translation>
    </message>
    <message>
        <source>the separator is empty</source>
        <translation>分隔符为空</translation>
    </message>
    <message>
        <source>division by zero</source>
        <translation>除以零</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; does not take these arguments</source>
        <translation>“{function}”不接受这些参数</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; lacks an argument</source>
        <translation>“{function}”缺少参数</translation>
    </message>
    <message>
        <source>the item is not in the list</source>
        <translation>该项不在列表中</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is undefined</source>
        <translation>“{name}”未定义</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; does not apply to a value of type {type}</source>
        <translation>“{function}”不适用于 {type} 类型的值</translation>
    </message>
    <message>
        <source>a value of type {type} has no items</source>
        <translation>{type} 类型的值没有元素</translation>
    </message>
    <message>
        <source>{left} {operator} {right}: these types have no order</source>
        <translation>{left} {operator} {right}：这些类型没有顺序</translation>
    </message>
    <message>
        <source>a value of type {type} cannot be written as JSON</source>
        <translation>{type} 类型的值无法写成 JSON</translation>
    </message>
    <message>
        <source>{left} {operator} {right}: not defined for these types</source>
        <translation>{left} {operator} {right}：对这些类型没有定义</translation>
    </message>
    <message>
        <source>{operator}{type}: not defined for this type</source>
        <translation>{operator}{type}：对该类型没有定义</translation>
    </message>
    <message>
        <source>a value of type {type} cannot be called</source>
        <translation>{type} 类型的值无法调用</translation>
    </message>
    <message>
        <source>{values} values cannot be assigned to {names} names</source>
        <translation>{values} 个值无法赋给 {names} 个名称</translation>
    </message>
    <message>
        <source>members of a value of type {type} cannot be assigned</source>
        <translation>{type} 类型的值的成员无法赋值</translation>
    </message>
    <message numerus="yes">
        <source>the macro &apos;{name}&apos; takes at most {count} arguments</source>
        <translation>
            <numerusform>宏“{name}”最多接受 {count} 个参数</numerusform>
        </translation>
    </message>
    <message>
        <source>the argument &apos;{name}&apos; is given twice</source>
        <translation>参数“{name}”给出了两次</translation>
    </message>
    <message>
        <source>the macro &apos;{name}&apos; has no parameter &apos;{parameter}&apos;</source>
        <translation>宏“{name}”没有参数“{parameter}”</translation>
    </message>
    <message>
        <source>the bounds of a slice must be integers</source>
        <translation>切片的边界必须是整数</translation>
    </message>
    <message>
        <source>the step is zero</source>
        <translation>步长为零</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; expects a string, not {type}</source>
        <translation>“{function}”需要字符串，而不是 {type}</translation>
    </message>
    <message>
        <source>&apos;{function}&apos; expects an integer, not {type}</source>
        <translation>“{function}”需要整数，而不是 {type}</translation>
    </message>
    <message>
        <source>the nesting of blocks</source>
        <translation>块的嵌套</translation>
    </message>
    <message>
        <source>the nesting of an expression</source>
        <translation>表达式的嵌套</translation>
    </message>
    <message>
        <source>the nesting of calls</source>
        <translation>调用的嵌套</translation>
    </message>
    <message>
        <source>the nesting of values</source>
        <translation>值的嵌套</translation>
    </message>
    <message>
        <source>the size of the text</source>
        <translation>文本的大小</translation>
    </message>
    <message>
        <source>the number of steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>the width of an indent</source>
        <translation>缩进的宽度</translation>
    </message>
    <message>
        <source>the length of a date&apos;s format</source>
        <translation>日期格式的长度</translation>
    </message>
    <message>
        <source>write the prompt as the model expects it, without --chat</source>
        <translation>请按模型要求的格式书写提示词，不使用 --chat</translation>
    </message>
    <message>
        <source>change the messages</source>
        <translation>请修改消息</translation>
    </message>
    <message>
        <source>convert the model with its tokenizer</source>
        <translation>请连同分词器一起转换模型</translation>
    </message>
    <message>
        <source>too many tokens</source>
        <translation>词元过多</translation>
    </message>
    <message>
        <source>the file is damaged</source>
        <translation>文件已损坏</translation>
    </message>
    <message>
        <source>{count} tokens and merges are more than any model has</source>
        <translation>{count} 个词元与合并超过任何模型所有</translation>
    </message>
    <message>
        <source>the texts of the tokens are longer than those of any model</source>
        <translation>词元的文本比任何模型的都长</translation>
    </message>
    <message>
        <source>the pre-tokenizer &apos;{name}&apos; is not supported</source>
        <translation>不支持预分词器 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use a model with one of {names}</source>
        <translation>请使用下列之一的模型：{names}</translation>
    </message>
    <message>
        <source>{cells} cells cannot hold a window of {window} and {tokens} tokens</source>
        <translation>{cells} 个单元容不下 {window} 的窗口和 {tokens} 个词元</translation>
    </message>
    <message>
        <source>give the layers with a window more cells</source>
        <translation>请给带窗口的层更多单元</translation>
    </message>
    <message>
        <source>{batch} tokens at position {position} do not fit a graph of {tokens} tokens and {cells} cells</source>
        <translation>位置 {position} 处的 {batch} 个词元不适合 {tokens} 个词元和 {cells} 个单元的图</translation>
    </message>
    <message>
        <source>build the graph for this batch</source>
        <translation>请为此批次构建图</translation>
    </message>
    <message>
        <source>model shape</source>
        <translation>模型形状</translation>
    </message>
    <message>
        <source>{parameter} is {value}</source>
        <translation>{parameter} 为 {value}</translation>
    </message>
    <message>
        <source>use a value from {low} to {high}</source>
        <translation>请使用 {low} 到 {high} 之间的值</translation>
    </message>
    <message>
        <source>{elements} elements cannot be divided among {heads} heads</source>
        <translation>{elements} 个元素不能由 {heads} 个头均分</translation>
    </message>
    <message>
        <source>give each head the same even number of elements</source>
        <translation>请让每个头有相同的偶数个元素</translation>
    </message>
    <message>
        <source>{heads} attention heads cannot share {shared} KV heads</source>
        <translation>{heads} 个头不能共享 {shared} 个键和值的头</translation>
    </message>
    <message>
        <source>use a number of KV heads that divides the number of heads</source>
        <translation>请使用能整除 heads 的 kv-heads</translation>
    </message>
    <message>
        <source>{type} cannot be encoded</source>
        <translation>{type} 无法编码</translation>
    </message>
    <message>
        <source>use f32, f16, bf16, q8_0, q4_0, q4_K or another type with an encoder</source>
        <translation>请使用 f32、f16、bf16、q8_0、q4_0、q4_K 或其他可编码的类型</translation>
    </message>
    <message>
        <source>rows of {elements} elements do not fill blocks of {block}</source>
        <translation>{elements} 个元素的行不能填满 {block} 个元素的块</translation>
    </message>
    <message>
        <source>use multiples of {block} for {type}</source>
        <translation>{type} 请使用 {block} 的倍数</translation>
    </message>
    <message>
        <source>Writing weights</source>
        <translation>正在写入权重</translation>
    </message>
    <message>
        <source>the model cannot run</source>
        <translation>该模型无法运行</translation>
    </message>
    <message>
        <source>convert or download the model again, or change the named switch</source>
        <translation>请重新转换或下载模型，或更改所指出的开关</translation>
    </message>
    <message>
        <source>it is not known whether the model fits</source>
        <translation>不知道该模型是否放得下</translation>
    </message>
    <message>
        <source>the file has {unread}</source>
        <translation>文件有 {unread}</translation>
    </message>
    <message>
        <source>graphs of this architecture do not use them</source>
        <translation>此架构的图不使用它们</translation>
    </message>
    <message>
        <source>compare with another conversion of the model</source>
        <translation>请与该模型的另一次转换比较</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Memory of the devices is not known</source>
        <translation>设备的内存未知</translation>
    </message>
    <message>
        <source>Not known whether it fits: {reason}</source>
        <translation>不知道是否放得下：{reason}</translation>
    </message>
    <message>
        <source>Cannot run: {reason}</source>
        <translation>无法运行：{reason}</translation>
    </message>
    <message>
        <source>Does not fit: {shortages}</source>
        <translation>放不下：{shortages}</translation>
    </message>
    <message>
        <source>{device} lacks {bytes}</source>
        <translation>{device} 缺少 {bytes}</translation>
    </message>
    <message>
        <source>there is no graph builder for it</source>
        <translation>没有用于它的图构建器</translation>
    </message>
    <message>
        <source>a batch of {batch} tokens is too small for {sequences} sequences: each needs one output</source>
        <translation>{batch} 个词元的批次容不下 {sequences} 个序列各一个结果</translation>
    </message>
    <message>
        <source>raise the batch, or use fewer sequences</source>
        <translation>请增大批次，或减少序列数</translation>
    </message>
    <message>
        <source>the model was not read</source>
        <translation>没有读取该模型</translation>
    </message>
    <message>
        <source>the compute buffer of the projector depends on its images</source>
        <translation>投影器的计算缓冲区取决于其图像</translation>
    </message>
    <message>
        <source>the compute buffers of graphs with an adapter are not known</source>
        <translation>带适配器的图的计算缓冲区未知</translation>
    </message>
    <message>
        <source>the draft model: {reason}</source>
        <translation>草稿模型：{reason}</translation>
    </message>
    <message>
        <source>programs of this generation differ in the context of a draft model</source>
        <translation>这一代的程序为草稿模型建立的上下文各不相同</translation>
    </message>
    <message>
        <source>the layers of the draft model are divided by the memory that the model leaves free; --tensor-split fixes the division</source>
        <translation>草稿模型按模型剩下的内存划分；--tensor-split 可固定划分</translation>
    </message>
    <message>
        <source>not a projector (&apos;clip&apos;)</source>
        <translation>不是投影器（&apos;clip&apos;）</translation>
    </message>
    <message>
        <source>not an adapter</source>
        <translation>不是适配器</translation>
    </message>
    <message>
        <source>give a file of this kind</source>
        <translation>请给出此类文件</translation>
    </message>
    <message>
        <source>the model lacks the tensor &apos;{name}&apos;, which the adapter changes</source>
        <translation>模型缺少适配器所修改的张量“{name}”</translation>
    </message>
    <message>
        <source>the adapter is for the architecture &apos;{name}&apos;, the model is &apos;{model}&apos;</source>
        <translation>适配器用于架构“{name}”，模型是“{model}”</translation>
    </message>
    <message>
        <source>the type of the adapter is &apos;{type}&apos; instead of &apos;lora&apos;</source>
        <translation>适配器的类型是“{type}”，而不是“lora”</translation>
    </message>
    <message>
        <source>the adapter&apos;s tensor &apos;{name}&apos; ends neither in .lora_a nor in .lora_b</source>
        <translation>适配器的张量“{name}”既不以 .lora_a 结尾，也不以 .lora_b 结尾</translation>
    </message>
    <message>
        <source>the adapter has only one of two matrices for &apos;{name}&apos;</source>
        <translation>适配器对“{name}”只有两个矩阵中的一个</translation>
    </message>
    <message>
        <source>the adapter&apos;s matrices for &apos;{name}&apos; do not have the shape of the model&apos;s</source>
        <translation>适配器中“{name}”的矩阵与模型的形状不符</translation>
    </message>
    <message>
        <source>give an adapter of this model</source>
        <translation>请给出此模型的适配器</translation>
    </message>
    <message>
        <source>how rows of a weight are divided between devices is not planned</source>
        <translation>不规划权重的行在设备之间的划分</translation>
    </message>
    <message>
        <source>a {cache} cache of {type} is not possible</source>
        <translation>不可能有 {type} 的 {cache} 缓存</translation>
    </message>
    <message>
        <source>a {cache} cache of {type} is not possible: heads of {width} are not a multiple of its block of {block}</source>
        <translation>不可能有 {type} 的 {cache} 缓存：{width} 的头宽不是其块大小 {block} 的倍数</translation>
    </message>
    <message>
        <source>this model needs keys and values cached in one type, not in {key} and {value}</source>
        <translation>该模型的键与值须以同一类型缓存，而不能分别为 {key} 和 {value}</translation>
    </message>
    <message>
        <source>the scheduler failed: {problem}</source>
        <translation>调度器放弃：{problem}</translation>
    </message>
    <message>
        <source>memory cannot be planned: {problem}</source>
        <translation>无法规划内存：{problem}</translation>
    </message>
    <message numerus="yes">
        <source>{count} tensors ({bytes}) that no graph reads: {names}</source>
        <translation>
            <numerusform>{count} 个没有图读取的张量（{bytes}）：{names}</numerusform>
        </translation>
    </message>
    <message>
        <source>The file has {unread}.</source>
        <translation>文件有 {unread}。</translation>
    </message>
    <message>
        <source>{name} whitepaper</source>
        <translation>{name} 白皮书</translation>
    </message>
    <message>
        <source>{name} datasheet</source>
        <translation>{name} 数据表</translation>
    </message>
    <message>
        <source>{name} product page</source>
        <translation>{name} 产品页面</translation>
    </message>
    <message>
        <source>{name} newsroom, {date}</source>
        <translation>{name} 新闻室，{date}</translation>
    </message>
    <message>
        <source>memory shared by CPU and GPU</source>
        <translation>CPU 和 GPU 共用内存</translation>
    </message>
    <message>
        <source>{cores} cores at {clock}</source>
        <translation>{cores} 个核心，{clock}</translation>
    </message>
    <message>
        <source>{cores} P-cores at {clock}</source>
        <translation>{cores} 个性能核，{clock}</translation>
    </message>
    <message>
        <source>possible: {clocks}</source>
        <translation>可能的范围是 {clocks}</translation>
    </message>
    <message>
        <source>{flop} FLOP per cycle</source>
        <translation>每周期 {flop} 次浮点运算</translation>
    </message>
    <message>
        <source>{bits}-bit bus at {rate}</source>
        <translation>{bits} 位，{rate}</translation>
    </message>
    <message>
        <source>{memory} has {rate} per channel</source>
        <translation>{memory} 每通道 {rate}</translation>
    </message>
    <message>
        <source>choose one of: {names}</source>
        <translation>请选择其一：{names}</translation>
    </message>
    <message>
        <source>add --run and a --prompt</source>
        <translation>请添加 --run 和 --prompt</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>this program has no backend of the kind &apos;{kind}&apos;</source>
        <translation>此程序没有“{kind}”类型的后端</translation>
    </message>
    <message>
        <source>the CPU computes for {device}: {reason}</source>
        <translation>{device} 由 CPU 计算：{reason}</translation>
    </message>
    <message>
        <source>see &apos;splitscope devices&apos; for what can be used here</source>
        <translation>可用设备请见“splitscope devices”</translation>
    </message>
    <message numerus="yes">
        <source>{device} supports none of the {count} nodes, so nothing was compared</source>
        <translation>
            <numerusform>{device} 不接受这 {count} 个节点中的任何一个，因此没有可比较的</numerusform>
        </translation>
    </message>
    <message>
        <source>the image is too large</source>
        <translation>图片过大</translation>
    </message>
    <message>
        <source>save an SVG</source>
        <translation>请保存为 SVG</translation>
    </message>
    <message>
        <source>not a picture format</source>
        <translation>不是图片格式</translation>
    </message>
    <message>
        <source>use a name ending in .png or .svg</source>
        <translation>请使用以 .png 或 .svg 结尾的名称</translation>
    </message>
    <message>
        <source>no node of one run matches a node of the other</source>
        <translation>一次运行中没有节点与另一次运行的节点匹配</translation>
    </message>
    <message>
        <source>compare runs of the same prompt and model</source>
        <translation>请比较提示和模型相同的运行</translation>
    </message>
    <message>
        <source>it has: {names}; give servers with --rpc to add their devices</source>
        <translation>它有：{names}；用 --rpc 指定服务器后还会有其设备</translation>
    </message>
    <message>
        <source>restart rpc-server there, then try again</source>
        <translation>请在那里重新启动 rpc-server，然后重试</translation>
    </message>
    <message>
        <source>choose detected devices (Machine ▸ My computer)</source>
        <translation>请选择已找到的设备：“机器”中的“本机”</translation>
    </message>
    <message>
        <source>choose a machine, or set the free memory of its devices, under Machine</source>
        <translation>请在“机器”中选择机器，或设置其设备的空闲内存</translation>
    </message>
    <message>
        <source>use GPU layers and Shares instead of overrides if prompt speed matters</source>
        <translation>如果提示速度重要，请用“GPU 层数”和“份额”代替覆盖规则</translation>
    </message>
    <message>
        <source>set Flash attention to off</source>
        <translation>将“Flash attention”设为关闭</translation>
    </message>
    <message>
        <source>set Flash attention to where devices have it, or use cache types such as f16 or q8_0</source>
        <translation>将“Flash 注意力”设为“设备支持之处”，或使用 f16、q8_0 等缓存类型</translation>
    </message>
    <message>
        <source>lower the micro-batch or the context</source>
        <translation>减小微批次或上下文</translation>
    </message>
    <message>
        <source>turn op offload off, or use larger micro-batches</source>
        <translation>关闭运算卸载，或使用更大的微批次</translation>
    </message>
    <message>
        <source>set the micro-batch to {micro_batch} and the batch to {batch}: prompts are then read at an estimated {rate} instead of {before} tokens/s</source>
        <translation>将微批次设为 {micro_batch}、批次设为 {batch}：估计提示的读取速度变为 {rate} 词元/秒，原为 {before}</translation>
    </message>
    <message>
        <source>turn op offload off: prompts are then read at an estimated {rate} instead of {before} tokens/s</source>
        <translation>关闭运算卸载：估计提示的读取速度变为 {rate} 词元/秒，原为 {before}</translation>
    </message>
    <message>
        <source>overrides move weights of CPU layers to the devices, which therefore compute flash attention, but the caches of these layers are in the CPU&apos;s memory</source>
        <translation>覆盖规则把 CPU 上各层的权重放在设备上，因此由设备计算 Flash 注意力，但这些层的缓存在 CPU 的内存中</translation>
    </message>
    <message>
        <source>place these layers on the devices, or remove the override</source>
        <translation>把这些层放在设备上，或删除该覆盖规则</translation>
    </message>
    <message>
        <source>There is no graph builder for the architecture &apos;{architecture}&apos;: compute buffers, splits, copies and speed are not known; weights and caches are. A recording of a program that runs it has the graph.</source>
        <translation>没有架构 &apos;{architecture}&apos; 的图构建器：计算缓冲区、分段、复制和速度未知；权重和缓存已知。对运行它的程序的记录中有该图。</translation>
    </message>
    <message>
        <source>Nothing fits: even the lightest placement lacks {bytes} of memory. Lower the context, use smaller cache types, or use a smaller model.</source>
        <translation>都放不下：即使最轻的放置也缺少 {bytes} 内存。请减小上下文，使用更小的缓存类型或更小的模型。</translation>
    </message>
    <message>
        <source>Nothing fits: weights and caches do, but not with their compute buffers. Lower the micro-batch or the context.</source>
        <translation>都放不下：权重和缓存放得下，但加上计算缓冲区就不行。请减小微批次或上下文。</translation>
    </message>
    <message>
        <source>place more layers there, or search for the fastest placement that fits</source>
        <translation>在那里放置更多层，或搜索放得下的最快放置</translation>
    </message>
    <message>
        <source>open a recording of a program</source>
        <translation>请打开程序的记录</translation>
    </message>
    <message>
        <source>the layers of the draft model are divided by the memory that the model leaves free</source>
        <translation>草稿模型按主模型余下的内存划分</translation>
    </message>
    <message>
        <source>write the prompt as the model expects it</source>
        <translation>请按模型期望的格式书写提示</translation>
    </message>
    <message>
        <source>run the model first</source>
        <translation>请先运行模型</translation>
    </message>
    <message>
        <source>Stop condition</source>
        <translation>停止条件</translation>
    </message>
    <message>
        <source>refused as damaged or malicious</source>
        <translation>已作为损坏或恶意文件拒绝</translation>
    </message>
    <message>
        <source>choose the folder of its libraries (Machine ▸ Engine)</source>
        <translation>请选择其库所在的文件夹：“机器”中的“引擎”</translation>
    </message>
    <message>
        <source>choose the folder of its libraries (Machine ▸ Engine), e.g. {folder}</source>
        <translation>请选择其库所在的文件夹，例如 {folder}：“机器”中的“引擎”</translation>
    </message>
    <message>
        <source>it is loaded only once you choose its folder (Machine ▸ Engine)</source>
        <translation>只有选择其文件夹后才会加载：“机器”中的“引擎”</translation>
    </message>
    <message>
        <source>the libraries in {folder} are loaded only once you choose the folder (Machine ▸ Engine)</source>
        <translation>只有选择文件夹后才会加载 {folder} 中的库：“机器”中的“引擎”</translation>
    </message>
    <message>
        <source>use only devices of one engine under Machine, its CPU last</source>
        <translation>请在“机器”中只使用同一引擎的设备，其 CPU 放在最后</translation>
    </message>
    <message>
        <source>it has: {names}; add servers (Machine ▸ Engine ▸ RPC servers)</source>
        <translation>它有：{names}；请在“机器”中通过“引擎”的“RPC 服务器”添加服务器</translation>
    </message>
    <message>
        <source>restart it, or end the program that it serves</source>
        <translation>请重新启动它，或结束它正在服务的程序</translation>
    </message>
    <message>
        <source>choose an engine (Machine ▸ Engine) and only its devices</source>
        <translation>请在“机器”中通过“引擎”选择引擎，并只使用其设备</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>: </source>
        <translation>：</translation>
    </message>
    <message>
        <source>{place}: {problem}</source>
        <translation>{place}：{problem}</translation>
    </message>
    <message>
        <source>{problem} — {remedy}</source>
        <translation>{problem} — {remedy}</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>cannot open: {reason}</source>
        <translation>无法打开：{reason}</translation>
    </message>
    <message>
        <source>cannot read: {reason}</source>
        <translation>无法读取：{reason}</translation>
    </message>
    <message>
        <source>cannot write: {reason}</source>
        <translation>无法写入：{reason}</translation>
    </message>
    <message>
        <source>no program reads from this pipe</source>
        <translation>没有程序从此管道读取</translation>
    </message>
    <message>
        <source>start the program that reads from it first</source>
        <translation>请先启动从中读取的程序</translation>
    </message>
    <message>
        <source>cannot get the file status: {reason}</source>
        <translation>无法获取文件状态：{reason}</translation>
    </message>
    <message>
        <source>cannot map into memory: {reason}</source>
        <translation>无法映射到内存：{reason}</translation>
    </message>
    <message>
        <source>larger than the limit of {limit} bytes</source>
        <translation>超过 {limit} 字节的上限</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>would overwrite the file it is generated from</source>
        <translation>会覆盖它自身所依据的文件</translation>
    </message>
    <message>
        <source>the file was truncated or became unreadable while open</source>
        <translation>文件在打开期间被截断或变得不可读</translation>
    </message>
    <message>
        <source>standard input is empty or closed</source>
        <translation>标准输入为空或已关闭</translation>
    </message>
    <message>
        <source>pipe text into it, or give a file name</source>
        <translation>请通过管道传入文本，或给出文件名</translation>
    </message>
    <message>
        <source>check the path and its permissions</source>
        <translation>请检查路径及其权限</translation>
    </message>
    <message>
        <source>check the file system</source>
        <translation>请检查文件系统</translation>
    </message>
    <message>
        <source>check the address space limit</source>
        <translation>请检查地址空间的限制</translation>
    </message>
    <message>
        <source>check that it is a readable file</source>
        <translation>请确认它是可读的文件</translation>
    </message>
    <message>
        <source>choose a writable folder with enough free space</source>
        <translation>请选择可写且空间足够的文件夹</translation>
    </message>
    <message>
        <source>open a smaller file</source>
        <translation>请打开较小的文件</translation>
    </message>
    <message>
        <source>choose a file</source>
        <translation>请选择一个文件</translation>
    </message>
    <message>
        <source>choose another name</source>
        <translation>请换一个名称</translation>
    </message>
    <message>
        <source>open it again once it is complete</source>
        <translation>请待其完整后重新打开</translation>
    </message>
    <message>
        <source>refused as damaged or malicious; if you trust the file, lift the memory limit (--allow-memory)</source>
        <translation>文件可能已损坏或为恶意文件，因此被拒绝；若信任它，请解除内存限制（--allow-memory）</translation>
    </message>
    <message>
        <source>no such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>is a directory</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>not a directory</source>
        <translation>路径中有一部分不是文件夹</translation>
    </message>
    <message>
        <source>no space left on device</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>file name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>too many levels of symbolic links</source>
        <translation>符号链接的层数过多</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>{problem} at character {position} of the pattern</source>
        <translation>模式的第 {position} 个字符处：{problem}</translation>
    </message>
    <message>
        <source>correct the pattern, or use * and ? instead</source>
        <translation>请更正模式，或改用 * 和 ?</translation>
    </message>
    <message>
        <source>&apos;{escape}&apos; is not supported</source>
        <translation>不支持 &apos;{escape}&apos;</translation>
    </message>
    <message>
        <source>more than {limit} characters</source>
        <translation>超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>too many repetitions</source>
        <translation>重复太多</translation>
    </message>
    <message>
        <source>more than {limit} repetitions</source>
        <translation>重复超过 {limit} 次</translation>
    </message>
    <message>
        <source>&apos;{sign}&apos; has nothing to repeat</source>
        <translation>&apos;{sign}&apos; 没有可重复的内容</translation>
    </message>
    <message>
        <source>&apos;(&apos; without &apos;)&apos;</source>
        <translation>&apos;(&apos; 没有对应的 &apos;)&apos;</translation>
    </message>
    <message>
        <source>&apos;)&apos; without &apos;(&apos;</source>
        <translation>&apos;)&apos; 没有对应的 &apos;(&apos;</translation>
    </message>
    <message>
        <source>&apos;[&apos; without &apos;]&apos;</source>
        <translation>&apos;[&apos; 没有对应的 &apos;]&apos;</translation>
    </message>
    <message>
        <source>&apos;{{&apos; without &apos;}}&apos;</source>
        <translation>&apos;{{&apos; 没有对应的 &apos;}}&apos;</translation>
    </message>
    <message>
        <source>&apos;{{&apos; without a number</source>
        <translation>&apos;{{&apos; 之后没有数</translation>
    </message>
    <message>
        <source>repetition count in descending order</source>
        <translation>重复次数由高到低</translation>
    </message>
    <message>
        <source>character range in descending order</source>
        <translation>字符范围由高到低</translation>
    </message>
    <message>
        <source>trailing backslash</source>
        <translation>末尾的反斜杠</translation>
    </message>
    <message>
        <source>unknown character class</source>
        <translation>未知的字符类</translation>
    </message>
    <message>
        <source>of the &apos;(?&apos; groups, only &apos;(?:&apos; is supported</source>
        <translation>以 &apos;(?&apos; 开头的组只支持 &apos;(?:&apos;</translation>
    </message>
    <message>
        <source>look-ahead is not supported</source>
        <translation>不支持先行断言</translation>
    </message>
    <message>
        <source>back-references are not supported</source>
        <translation>不支持反向引用</translation>
    </message>
    <message>
        <source>the patterns are too large together</source>
        <translation>这些模式合在一起过大</translation>
    </message>
    <message>
        <source>use fewer counted repetitions, or fewer patterns</source>
        <translation>请减少计数重复，或减少模式</translation>
    </message>
    <message>
        <source>byte {position}</source>
        <translation>第 {position} 字节</translation>
    </message>
    <message>
        <source>byte {position}, &apos;{name}&apos;</source>
        <translation>第 {position} 字节，&apos;{name}&apos;</translation>
    </message>
    <message>
        <source>its description would take more than {limit} MiB of memory</source>
        <translation>其描述需要超过 {limit} MiB 的内存</translation>
    </message>
    <message>
        <source>the file ends inside {part} ({wanted} bytes wanted, {left} left)</source>
        <translation>文件在{part}之内结束（需要 {wanted} 字节，剩余 {left} 字节）</translation>
    </message>
    <message>
        <source>{part} of {bytes} bytes exceeds the limit of {limit}</source>
        <translation>{part}有 {bytes} 字节，超过上限 {limit}</translation>
    </message>
    <message>
        <source>{part} has an impossible length of {count}</source>
        <translation>{part}的长度 {count} 不可能</translation>
    </message>
    <message>
        <source>a metadata key</source>
        <translation>元数据键</translation>
    </message>
    <message>
        <source>a tensor name</source>
        <translation>张量名</translation>
    </message>
    <message>
        <source>a tensor&apos;s dimensions</source>
        <translation>张量的维数</translation>
    </message>
    <message>
        <source>a tensor&apos;s offset</source>
        <translation>张量的偏移</translation>
    </message>
    <message>
        <source>a tensor&apos;s shape</source>
        <translation>张量的形状</translation>
    </message>
    <message>
        <source>a tensor&apos;s type</source>
        <translation>张量的类型</translation>
    </message>
    <message>
        <source>a value type</source>
        <translation>值的类型</translation>
    </message>
    <message>
        <source>an array length</source>
        <translation>数组长度</translation>
    </message>
    <message>
        <source>the magic number</source>
        <translation>文件标记</translation>
    </message>
    <message>
        <source>the version</source>
        <translation>版本号</translation>
    </message>
    <message>
        <source>the tensor count</source>
        <translation>张量的数目</translation>
    </message>
    <message>
        <source>the metadata count</source>
        <translation>元数据的数目</translation>
    </message>
    <message>
        <source>unknown metadata type {number}</source>
        <translation>未知的元数据类型 {number}</translation>
    </message>
    <message>
        <source>arrays are nested too deeply</source>
        <translation>数组嵌套太深</translation>
    </message>
    <message>
        <source>an array of {count} strings does not fit in the file</source>
        <translation>{count} 个字符串的数组与文件大小不符</translation>
    </message>
    <message>
        <source>an array of {count} arrays does not fit in the file</source>
        <translation>{count} 个数组的数组与文件大小不符</translation>
    </message>
    <message>
        <source>{count} dimensions; at most {limit} are supported</source>
        <translation>有 {count} 维；至多支持 {limit} 维</translation>
    </message>
    <message>
        <source>the shape has too many elements</source>
        <translation>形状的元素数超出可能的范围</translation>
    </message>
    <message>
        <source>unknown element type {number}</source>
        <translation>未知的元素类型 {number}</translation>
    </message>
    <message>
        <source>rows of {elements} elements are not a multiple of the {type} block of {block}</source>
        <translation>每行 {elements} 个元素不是 {type} 块大小 {block} 的倍数</translation>
    </message>
    <message>
        <source>not a GGUF file: it does not start with &apos;GGUF&apos;</source>
        <translation>不是 GGUF 文件：开头不是 &apos;GGUF&apos;</translation>
    </message>
    <message>
        <source>the GGUF file is big-endian</source>
        <translation>此 GGUF 文件是大端序的</translation>
    </message>
    <message>
        <source>convert the model to little-endian (gguf_convert_endian.py)</source>
        <translation>请将模型转换为小端序（gguf_convert_endian.py）</translation>
    </message>
    <message>
        <source>GGUF version {version} is not supported</source>
        <translation>不支持 GGUF 版本 {version}</translation>
    </message>
    <message>
        <source>{tensors} tensors and {entries} metadata entries do not fit in the file</source>
        <translation>{tensors} 个张量和 {entries} 项元数据与文件大小不符</translation>
    </message>
    <message>
        <source>duplicate metadata key</source>
        <translation>元数据键重复</translation>
    </message>
    <message>
        <source>duplicate tensor name</source>
        <translation>张量名重复</translation>
    </message>
    <message>
        <source>alignment {alignment} is not a power of two up to {limit}</source>
        <translation>对齐 {alignment} 不是 {limit} 以内的 2 的幂</translation>
    </message>
    <message>
        <source>offset {offset} is not a multiple of the alignment {alignment}</source>
        <translation>偏移 {offset} 不是对齐 {alignment} 的倍数</translation>
    </message>
    <message>
        <source>the offset is out of range</source>
        <translation>偏移超出范围</translation>
    </message>
    <message>
        <source>the file ends at byte {end}, but the tensor&apos;s data at byte {needed}</source>
        <translation>文件在第 {end} 字节结束，而张量的数据到第 {needed} 字节</translation>
    </message>
    <message>
        <source>not a non-negative integer</source>
        <translation>不是非负整数</translation>
    </message>
    <message>
        <source>the file is damaged: download or convert it again</source>
        <translation>文件已损坏：请重新下载或转换</translation>
    </message>
    <message>
        <source>it was truncated: download or copy it again</source>
        <translation>文件被截断：请重新下载或复制</translation>
    </message>
    <message>
        <source>use a file of GGUF version 2 or 3</source>
        <translation>请使用 GGUF 版本 2 或 3 的文件</translation>
    </message>
    <message>
        <source>convert the model to version 3</source>
        <translation>请将模型转换为版本 3</translation>
    </message>
    <message>
        <source>convert the model to a supported type</source>
        <translation>请将模型转换为受支持的类型</translation>
    </message>
    <message>
        <source>convert the model again</source>
        <translation>请重新转换模型</translation>
    </message>
    <message>
        <source>flatten the metadata</source>
        <translation>请将元数据展平</translation>
    </message>
    <message>
        <source>choose a .gguf model</source>
        <translation>请选择 .gguf 模型</translation>
    </message>
    <message>
        <source>remove one of them</source>
        <translation>请去掉其中一个</translation>
    </message>
    <message>
        <source>not valid JSON</source>
        <translation>不是有效的 JSON</translation>
    </message>
    <message>
        <source>line {line}, column {column}</source>
        <translation>第 {line} 行第 {column} 列</translation>
    </message>
    <message>
        <source>expected a name in double quotes</source>
        <translation>此处应为双引号中的名称</translation>
    </message>
    <message>
        <source>expected &apos;:&apos;</source>
        <translation>此处应为“:”</translation>
    </message>
    <message>
        <source>expected &apos;,&apos; or &apos;}}&apos;</source>
        <translation>此处应为“,”或“}}”</translation>
    </message>
    <message>
        <source>expected &apos;,&apos; or &apos;]&apos;</source>
        <translation>此处应为“,”或“]”</translation>
    </message>
    <message>
        <source>expected a value</source>
        <translation>此处应为一个值</translation>
    </message>
    <message>
        <source>expected the end of the document</source>
        <translation>文档应在此处结束</translation>
    </message>
    <message>
        <source>check the text at that position</source>
        <translation>请检查该处的文本</translation>
    </message>
    <message>
        <source>a number is out of range</source>
        <translation>有数超出范围</translation>
    </message>
    <message>
        <source>use numbers that fit 64 bits</source>
        <translation>请使用 64 位以内的数</translation>
    </message>
    <message>
        <source>nested more than {levels} levels deep</source>
        <translation>嵌套超过 {levels} 层</translation>
    </message>
    <message>
        <source>write the document as its format describes</source>
        <translation>请使用符合格式说明的文档</translation>
    </message>
    <message>
        <source>reading the document would take many times its size in memory</source>
        <translation>读取该文档所需的内存为其大小的许多倍</translation>
    </message>
    <message>
        <source>a single element would take many megabytes</source>
        <translation>单个元素就需要许多兆字节</translation>
    </message>
    <message>
        <source>the document has {bytes} bytes, more than {limit}</source>
        <translation>文档有 {bytes} 字节，超过 {limit}</translation>
    </message>
    <message>
        <source>use a smaller document</source>
        <translation>请使用更小的文档</translation>
    </message>
    <message>
        <source>expected an object</source>
        <translation>此处应为对象</translation>
    </message>
    <message>
        <source>use {{ … }}</source>
        <translation>请使用 {{ … }}</translation>
    </message>
    <message>
        <source>expected an array</source>
        <translation>此处应为数组</translation>
    </message>
    <message>
        <source>use [ … ]</source>
        <translation>请使用 [ … ]</translation>
    </message>
    <message>
        <source>expected a string</source>
        <translation>此处应为字符串</translation>
    </message>
    <message>
        <source>use &quot;…&quot;</source>
        <translation>请使用 &quot;…&quot;</translation>
    </message>
    <message>
        <source>expected true or false</source>
        <translation>此处应为 true 或 false</translation>
    </message>
    <message>
        <source>use true or false</source>
        <translation>请使用 true 或 false</translation>
    </message>
    <message>
        <source>expected an integer that fits 64 bits</source>
        <translation>此处应为 64 位以内的整数</translation>
    </message>
    <message>
        <source>use an integer</source>
        <translation>请使用整数</translation>
    </message>
    <message>
        <source>expected a number</source>
        <translation>此处应为数</translation>
    </message>
    <message>
        <source>use a number</source>
        <translation>请使用数</translation>
    </message>
    <message>
        <source>member &quot;{name}&quot; is missing</source>
        <translation>缺少成员 &quot;{name}&quot;</translation>
    </message>
    <message>
        <source>unknown member &quot;{name}&quot;</source>
        <translation>未知成员 &quot;{name}&quot;</translation>
    </message>
    <message>
        <source>remove this member</source>
        <translation>请删除此成员</translation>
    </message>
    <message>
        <source>did you mean &quot;{name}&quot;?</source>
        <translation>是否指 &quot;{name}&quot;？</translation>
    </message>
    <message>
        <source>add it</source>
        <translation>请加上</translation>
    </message>
    <message>
        <source>{count} elements; at most {limit} are supported</source>
        <translation>有 {count} 个元素，至多可有 {limit} 个</translation>
    </message>
    <message>
        <source>use fewer</source>
        <translation>请减少数目</translation>
    </message>
    <message>
        <source>{value} is not between {low} and {high}</source>
        <translation>{value} 不在 {low} 与 {high} 之间</translation>
    </message>
    <message>
        <source>use a value in that range</source>
        <translation>请使用该范围内的值</translation>
    </message>
    <message>
        <source>the document is a &quot;{found}&quot;, not a &quot;{wanted}&quot;</source>
        <translation>该文档是 &quot;{found}&quot;，而不是 &quot;{wanted}&quot;</translation>
    </message>
    <message>
        <source>open another file</source>
        <translation>请打开另一个文件</translation>
    </message>
    <message>
        <source>version {found} is not supported, only {wanted}</source>
        <translation>不支持版本 {found}，只支持版本 {wanted}</translation>
    </message>
    <message>
        <source>convert the file, or update Splitscope</source>
        <translation>请转换文件或使用较新的程序</translation>
    </message>
    <message>
        <source>unknown value &quot;{value}&quot;</source>
        <translation>未知的值 &quot;{value}&quot;</translation>
    </message>
    <message>
        <source>Reading the graph</source>
        <translation>正在读取图</translation>
    </message>
    <message>
        <source>the list changed while it was read</source>
        <translation>列表在读取期间发生了变化</translation>
    </message>
    <message>
        <source>open the file again</source>
        <translation>请重新打开文件</translation>
    </message>
    <message>
        <source>there are no tensors to refer to</source>
        <translation>没有可引用的张量</translation>
    </message>
    <message>
        <source>add tensors</source>
        <translation>请加上张量</translation>
    </message>
    <message>
        <source>expected 4 numbers</source>
        <translation>此处应为 4 个数</translation>
    </message>
    <message>
        <source>give all 4 dimensions</source>
        <translation>请给出全部 4 维</translation>
    </message>
    <message>
        <source>the name has {bytes} bytes</source>
        <translation>名称有 {bytes} 字节</translation>
    </message>
    <message>
        <source>use at most {limit} bytes</source>
        <translation>至多使用 {limit} 字节</translation>
    </message>
    <message>
        <source>unknown type &quot;{type}&quot;</source>
        <translation>未知的类型 &quot;{type}&quot;</translation>
    </message>
    <message>
        <source>use a type name such as &quot;f16&quot;</source>
        <translation>请使用 &quot;f16&quot; 这样的类型名</translation>
    </message>
    <message>
        <source>unknown operation &quot;{op}&quot;</source>
        <translation>未知的运算 &quot;{op}&quot;</translation>
    </message>
    <message>
        <source>use a name such as &quot;MUL_MAT&quot;</source>
        <translation>请使用 &quot;MUL_MAT&quot; 这样的名称</translation>
    </message>
    <message>
        <source>a tensor cannot view itself</source>
        <translation>张量不能是自身的视图</translation>
    </message>
    <message>
        <source>name the tensor that owns the memory</source>
        <translation>请写明拥有内存的张量</translation>
    </message>
    <message>
        <source>unknown flag &quot;{flag}&quot;</source>
        <translation>未知的标志 &quot;{flag}&quot;</translation>
    </message>
    <message>
        <source>use input, output, param or loss</source>
        <translation>请使用 input、output、param 或 loss</translation>
    </message>
    <message>
        <source>the viewed tensors form a cycle</source>
        <translation>视图互相引用成环</translation>
    </message>
    <message>
        <source>the sum of the view offsets overflows</source>
        <translation>视图偏移之和溢出</translation>
    </message>
    <message>
        <source>use smaller offsets</source>
        <translation>请使用较小的偏移</translation>
    </message>
    <message>
        <source>too many recorded sizes for a document of this length</source>
        <translation>对这样长度的文档来说，记录的大小太多</translation>
    </message>
    <message>
        <source>there is no buffer type &quot;{name}&quot;</source>
        <translation>没有缓冲区类型 &quot;{name}&quot;</translation>
    </message>
    <message>
        <source>there is no backend &quot;{name}&quot;</source>
        <translation>没有后端 &quot;{name}&quot;</translation>
    </message>
    <message>
        <source>use a name that the machine lists</source>
        <translation>请使用机器列出的名称</translation>
    </message>
    <message>
        <source>another buffer type has the name &quot;{name}&quot;</source>
        <translation>已有名为 &quot;{name}&quot; 的缓冲区类型</translation>
    </message>
    <message>
        <source>another buffer has the name &quot;{name}&quot;</source>
        <translation>已有名为 &quot;{name}&quot; 的缓冲区</translation>
    </message>
    <message>
        <source>another backend has the name &quot;{name}&quot;</source>
        <translation>已有名为 &quot;{name}&quot; 的后端</translation>
    </message>
    <message>
        <source>use different names</source>
        <translation>请使用不同的名称</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not a node index</source>
        <translation>&quot;{text}&quot; 不是节点编号</translation>
    </message>
    <message>
        <source>use integers from 0</source>
        <translation>请使用不小于 0 的整数</translation>
    </message>
    <message>
        <source>the buffer type does not exist</source>
        <translation>该缓冲区类型不存在</translation>
    </message>
    <message>
        <source>the backend does not exist</source>
        <translation>该后端不存在</translation>
    </message>
    <message>
        <source>{count} buffer types</source>
        <translation>{count} 种缓冲区类型</translation>
    </message>
    <message>
        <source>list at most {limit}</source>
        <translation>至多列出 {limit} 种</translation>
    </message>
    <message>
        <source>{value} is not a power of two</source>
        <translation>{value} 不是 2 的幂</translation>
    </message>
    <message>
        <source>use 1, 2, 4, 8 …</source>
        <translation>请使用 1、2、4、8 …</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is listed twice</source>
        <translation>列表中“{name}”出现了两次</translation>
    </message>
    <message>
        <source>list each buffer type once</source>
        <translation>每种缓冲区类型只列一次</translation>
    </message>
    <message>
        <source>add the type to the list</source>
        <translation>请将该类型加入列表</translation>
    </message>
    <message>
        <source>{count} backends</source>
        <translation>{count} 个后端</translation>
    </message>
    <message>
        <source>list 1 to {limit}, the CPU last</source>
        <translation>请列出 1 到 {limit} 个，CPU 在最后</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is listed twice</source>
        <translation>列表中“{name}”出现了两次</translation>
    </message>
    <message>
        <source>name each backend once</source>
        <translation>每个后端只写一次</translation>
    </message>
    <message>
        <source>put the CPU at the end of the list</source>
        <translation>请将 CPU 放在列表末尾</translation>
    </message>
    <message>
        <source>add the buffer to the machine or use the machine the graph was captured on</source>
        <translation>请将该缓冲区加入机器，或使用捕获该图的机器</translation>
    </message>
    <message>
        <source>Reading the recording</source>
        <translation>正在读取录制</translation>
    </message>
    <message>
        <source>not a recording</source>
        <translation>不是录制</translation>
    </message>
    <message>
        <source>open a file written by &apos;splitscope record&apos;</source>
        <translation>请打开由 splitscope record 写出的文件</translation>
    </message>
    <message>
        <source>unknown scheduler generation &apos;{name}&apos;</source>
        <translation>未知的调度器代 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use 2024-01, 2024-10, 2025-06 or 2026-08</source>
        <translation>请使用 2024-01、2024-10、2025-06 或 2026-08</translation>
    </message>
    <message>
        <source>more than {limit} graphs</source>
        <translation>图超过 {limit} 个</translation>
    </message>
    <message>
        <source>leave some out</source>
        <translation>请略去一些</translation>
    </message>
    <message>
        <source>the number of entries differs from the number of tensors</source>
        <translation>项数与张量数不同</translation>
    </message>
    <message>
        <source>give one for each tensor</source>
        <translation>请为每个张量给出一项</translation>
    </message>
    <message>
        <source>Reading the op-support table</source>
        <translation>正在读取运算支持表</translation>
    </message>
    <message>
        <source>there is no column &apos;{name}&apos;</source>
        <translation>没有列 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use a table written by test-backend-ops in support mode</source>
        <translation>请使用 test-backend-ops 以 support 模式写出的表</translation>
    </message>
    <message>
        <source>the header line is longer than 64 KiB</source>
        <translation>标题行超过 64 KiB</translation>
    </message>
    <message>
        <source>more than {limit} backend families</source>
        <translation>后端种类超过 {limit} 个</translation>
    </message>
    <message>
        <source>its operations would take more than {limit} MiB of memory</source>
        <translation>其中的运算需要超过 {limit} MiB 的内存</translation>
    </message>
    <message>
        <source>line {number}: not understood</source>
        <translation>第 {number} 行：无法理解</translation>
    </message>
    <message>
        <source>negative number of elements</source>
        <translation>元素数为负</translation>
    </message>
    <message>
        <source>negative stride</source>
        <translation>步长为负</translation>
    </message>
    <message>
        <source>negative offset</source>
        <translation>偏移为负</translation>
    </message>
    <message>
        <source>use 0 or more</source>
        <translation>请使用不小于 0 的数</translation>
    </message>
    <message>
        <source>the number of elements overflows 64 bits</source>
        <translation>元素数超出 64 位</translation>
    </message>
    <message>
        <source>use a smaller shape</source>
        <translation>请使用较小的形状</translation>
    </message>
    <message>
        <source>{elements} elements are not a multiple of the {type} block of {block}</source>
        <translation>{elements} 个元素不是 {type} 块大小 {block} 的倍数</translation>
    </message>
    <message>
        <source>use whole blocks</source>
        <translation>请使用整块</translation>
    </message>
    <message>
        <source>shape and strides overflow 64 bits</source>
        <translation>形状和步长超出 64 位</translation>
    </message>
    <message>
        <source>use smaller strides</source>
        <translation>请使用较小的步长</translation>
    </message>
    <message>
        <source>tensor {index} does not exist or is the view itself</source>
        <translation>张量 {index} 不存在，或就是该视图本身</translation>
    </message>
    <message>
        <source>use another index below {limit}</source>
        <translation>请使用小于 {limit} 的其他编号</translation>
    </message>
    <message>
        <source>the viewed tensor is itself a view</source>
        <translation>被视图的张量本身也是视图</translation>
    </message>
    <message>
        <source>refer to the tensor that owns the memory and add the offsets</source>
        <translation>请引用拥有内存的张量，并将偏移相加</translation>
    </message>
    <message>
        <source>the view of &apos;{base}&apos; ends beyond its {bytes} bytes</source>
        <translation>&apos;{base}&apos; 的视图超出其 {bytes} 字节</translation>
    </message>
    <message>
        <source>check shape, strides and offset of the view</source>
        <translation>请检查视图的形状、步长和偏移</translation>
    </message>
    <message>
        <source>tensor {index} does not exist</source>
        <translation>张量 {index} 不存在</translation>
    </message>
    <message>
        <source>use an index below {limit}</source>
        <translation>请使用小于 {limit} 的编号</translation>
    </message>
    <message>
        <source>node &apos;{node}&apos; reads &apos;{source}&apos;, which is computed at the same position or later</source>
        <translation>节点 &apos;{node}&apos; 读取 &apos;{source}&apos;，而后者在同一位置或更晚才计算</translation>
    </message>
    <message>
        <source>remove the cycle or list nodes in execution order</source>
        <translation>请去掉环，或按执行顺序列出节点</translation>
    </message>
    <message>
        <source>the graph has a cycle</source>
        <translation>图中有环</translation>
    </message>
    <message>
        <source>remove one of its edges</source>
        <translation>请去掉其中一条边</translation>
    </message>
    <message>
        <source>too many tensors</source>
        <translation>张量太多</translation>
    </message>
    <message>
        <source>split the graph</source>
        <translation>请拆分图</translation>
    </message>
    <message>
        <source>unknown buffer</source>
        <translation>未知的缓冲区</translation>
    </message>
    <message>
        <source>name a buffer of the machine</source>
        <translation>请使用机器的缓冲区</translation>
    </message>
    <message>
        <source>a tensor of shape {shape} is too large</source>
        <translation>形状为 {shape} 的张量过大，不可能存在</translation>
    </message>
    <message>
        <source>check the model&apos;s metadata, or use a smaller context</source>
        <translation>请检查模型的元数据，或使用更小的上下文</translation>
    </message>
    <message>
        <source>{op}: {problem} ({shape})</source>
        <translation>{op}：{problem}（{shape}）</translation>
    </message>
    <message>
        <source>check the shapes of the model&apos;s tensors</source>
        <translation>请检查模型的张量的形状</translation>
    </message>
    <message>
        <source>the view ends beyond its source</source>
        <translation>视图超出了它的来源</translation>
    </message>
    <message>
        <source>the source is not contiguous</source>
        <translation>源不连续</translation>
    </message>
    <message>
        <source>the number of elements differs</source>
        <translation>元素数不同</translation>
    </message>
    <message>
        <source>the second source does not repeat into the first</source>
        <translation>第二个源不能重复成第一个</translation>
    </message>
    <message>
        <source>rows differ in length</source>
        <translation>各行长度不同</translation>
    </message>
    <message>
        <source>gate and value differ in shape</source>
        <translation>门与值的形状不同</translation>
    </message>
    <message>
        <source>rows cannot be halved</source>
        <translation>行不能对半分</translation>
    </message>
    <message>
        <source>the batch of the row indices differs</source>
        <translation>行下标的批次不同</translation>
    </message>
    <message>
        <source>not one row index per row</source>
        <translation>并非每行一个行下标</translation>
    </message>
    <message>
        <source>not one position per token</source>
        <translation>并非每个词元一个位置</translation>
    </message>
    <message>
        <source>the other dimensions differ</source>
        <translation>其他维不同</translation>
    </message>
    <message>
        <source>cannot multiply {shape}</source>
        <translation>不能与 {shape} 相乘</translation>
    </message>
    <message>
        <source>does not match the convolved rows</source>
        <translation>与被卷积的行不符</translation>
    </message>
    <message>
        <source>{values} values do not fill {bytes} bytes</source>
        <translation>{values} 个值填不满 {bytes} 字节</translation>
    </message>
    <message>
        <source>convert whole blocks</source>
        <translation>请转换整块</translation>
    </message>
    <message>
        <source>the type cannot be decoded</source>
        <translation>此类型无法解码</translation>
    </message>
    <message>
        <source>look at its bytes instead</source>
        <translation>请改看其字节</translation>
    </message>
    <message>
        <source>the type cannot be encoded without importance weights</source>
        <translation>没有重要性权重就无法编码为此类型</translation>
    </message>
    <message>
        <source>provide importance weights or use another type</source>
        <translation>请提供重要性权重，或使用其他类型</translation>
    </message>
    <message>
        <source>{count} importance weights do not match rows of {values} values</source>
        <translation>{count} 个重要性权重与每行 {values} 个值不符</translation>
    </message>
    <message>
        <source>provide one importance weight per column</source>
        <translation>请每列提供一个重要性权重</translation>
    </message>
    <message>
        <source>supports {op}</source>
        <translation>支持 {op}</translation>
    </message>
    <message>
        <source>does not support {op}</source>
        <translation>不支持 {op}</translation>
    </message>
    <message>
        <source>does not support type {type}</source>
        <translation>不支持类型 {type}</translation>
    </message>
    <message>
        <source>does not support type {type} ({tensor})</source>
        <translation>不支持类型 {type}（{tensor}）</translation>
    </message>
    <message>
        <source>does not support {op} with type {type}</source>
        <translation>不支持类型为 {type} 的 {op}</translation>
    </message>
    <message>
        <source>does not support {op} with type {type} ({tensor})</source>
        <translation>不支持类型为 {type} 的 {op}（{tensor}）</translation>
    </message>
    <message>
        <source>does not support {op} with this layout</source>
        <translation>不支持此布局的 {op}</translation>
    </message>
    <message>
        <source>does not support {op} with this layout ({tensor})</source>
        <translation>不支持此布局的 {op}（{tensor}）</translation>
    </message>
    <message>
        <source>does not support these parameters of {op}</source>
        <translation>不支持 {op} 的这些参数</translation>
    </message>
    <message>
        <source>cannot read the memory of a source</source>
        <translation>不能读取某个源的内存</translation>
    </message>
    <message>
        <source>cannot read the memory of a source ({tensor})</source>
        <translation>不能读取某个源的内存（{tensor}）</translation>
    </message>
    <message>
        <source>refused this {op} when it was recorded</source>
        <translation>录制时拒绝了此 {op}</translation>
    </message>
    <message>
        <source>does not support {op} of this size</source>
        <translation>不支持此大小的 {op}</translation>
    </message>
    <message>
        <source>does not support {op} of this size ({tensor})</source>
        <translation>不支持此大小的 {op}（{tensor}）</translation>
    </message>
    <message>
        <source>cannot use buffer type {type}</source>
        <translation>不能使用缓冲区类型 {type}</translation>
    </message>
    <message>
        <source>cannot use tensors in that buffer</source>
        <translation>不能使用该缓冲区中的张量</translation>
    </message>
    <message>
        <source>{device} {refusal}</source>
        <translation>{device} {refusal}</translation>
    </message>
    <message>
        <source>filling part of a buffer is not supported</source>
        <translation>不支持填充缓冲区的一部分</translation>
    </message>
    <message>
        <source>buffers over existing host memory are not supported</source>
        <translation>不支持在已有主机内存上建立缓冲区</translation>
    </message>
    <message>
        <source>events are not supported</source>
        <translation>不支持事件</translation>
    </message>
    <message>
        <source>graph plans are not supported</source>
        <translation>不支持图计划</translation>
    </message>
    <message>
        <source>use an operation that the backend offers</source>
        <translation>请使用该后端提供的操作</translation>
    </message>
    <message>
        <source>the tensor belongs to no buffer</source>
        <translation>该张量不属于任何缓冲区</translation>
    </message>
    <message>
        <source>allocate it before accessing its data</source>
        <translation>请在访问其数据之前分配</translation>
    </message>
    <message>
        <source>the tensor has no data</source>
        <translation>该张量没有数据</translation>
    </message>
    <message>
        <source>allocate it first</source>
        <translation>请先分配</translation>
    </message>
    <message>
        <source>{bytes} bytes at offset {offset} exceed its {size} bytes</source>
        <translation>偏移 {offset} 处的 {bytes} 字节超出其 {size} 字节</translation>
    </message>
    <message>
        <source>stay inside the tensor</source>
        <translation>请不要超出该张量</translation>
    </message>
    <message>
        <source>layouts differ: &apos;{first}&apos; is {one}, &apos;{second}&apos; is {other}</source>
        <translation>布局不同：&apos;{first}&apos; 为 {one}，&apos;{second}&apos; 为 {other}</translation>
    </message>
    <message>
        <source>copy between tensors of the same type, shape and strides</source>
        <translation>请在类型、形状和步长相同的张量之间复制</translation>
    </message>
    <message>
        <source>tensor copy</source>
        <translation>张量复制</translation>
    </message>
    <message>
        <source>the view belongs to no buffer</source>
        <translation>该视图不属于任何缓冲区</translation>
    </message>
    <message>
        <source>initialise the view before copying it</source>
        <translation>请在复制之前初始化该视图</translation>
    </message>
    <message>
        <source>{count} pieces exceed the {bytes} bytes provided</source>
        <translation>{count} 块超出所给的 {bytes} 字节</translation>
    </message>
    <message>
        <source>provide more memory or fewer pieces</source>
        <translation>请给出更多内存或更少的块</translation>
    </message>
    <message>
        <source>the view already has a buffer</source>
        <translation>该视图已有缓冲区</translation>
    </message>
    <message>
        <source>initialise a view once</source>
        <translation>请只初始化一次视图</translation>
    </message>
    <message>
        <source>the tensor is not a view</source>
        <translation>该张量不是视图</translation>
    </message>
    <message>
        <source>allocate it in a buffer instead</source>
        <translation>请改为在缓冲区中分配</translation>
    </message>
    <message>
        <source>the tensor it views, &apos;{base}&apos;, belongs to no buffer</source>
        <translation>它所视图的张量 &apos;{base}&apos; 不属于任何缓冲区</translation>
    </message>
    <message>
        <source>the tensor it views, &apos;{base}&apos;, has no data</source>
        <translation>它所视图的张量 &apos;{base}&apos; 没有数据</translation>
    </message>
    <message>
        <source>allocate the viewed tensor first</source>
        <translation>请先分配被视图的张量</translation>
    </message>
    <message>
        <source>the tensor is already placed</source>
        <translation>该张量已经放置</translation>
    </message>
    <message>
        <source>place a tensor once</source>
        <translation>请只放置一次张量</translation>
    </message>
    <message>
        <source>the tensor is a view</source>
        <translation>该张量是视图</translation>
    </message>
    <message>
        <source>place the tensor it views</source>
        <translation>请放置它所视图的张量</translation>
    </message>
    <message>
        <source>reports {bytes} bytes for a tensor of {size} bytes</source>
        <translation>它为 {size} 字节的张量只用 {bytes} 字节</translation>
    </message>
    <message>
        <source>report this to the author of the backend</source>
        <translation>请将此报告给该后端的作者</translation>
    </message>
    <message>
        <source>{bytes} bytes at offset {offset} lie outside buffer &apos;{buffer}&apos; of {size} bytes</source>
        <translation>偏移 {offset} 处的 {bytes} 字节超出 {size} 字节的缓冲区 &apos;{buffer}&apos;</translation>
    </message>
    <message>
        <source>allocate a larger buffer</source>
        <translation>请分配更大的缓冲区</translation>
    </message>
    <message>
        <source>backend registry</source>
        <translation>后端注册表</translation>
    </message>
    <message>
        <source>there is no backend {index}</source>
        <translation>没有后端 {index}</translation>
    </message>
    <message>
        <source>there is no device {index}</source>
        <translation>没有设备 {index}</translation>
    </message>
    <message>
        <source>there is no backend kind {index}</source>
        <translation>没有后端种类 {index}</translation>
    </message>
    <message numerus="yes">
        <source>there are {count}</source>
        <translation>
            <numerusform>共有 {count} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>more than {limit} backends are registered</source>
        <translation>注册的后端超过 {limit} 个</translation>
    </message>
    <message>
        <source>register fewer</source>
        <translation>请减少注册</translation>
    </message>
    <message>
        <source>there is no backend &apos;{name}&apos;</source>
        <translation>没有后端 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>none is registered</source>
        <translation>一个也没有注册</translation>
    </message>
    <message>
        <source>use one of: {names}</source>
        <translation>请使用其中之一：{names}</translation>
    </message>
    <message>
        <source>alignment {alignment} is not a power of two</source>
        <translation>对齐 {alignment} 不是 2 的幂</translation>
    </message>
    <message>
        <source>buffer type</source>
        <translation>缓冲区类型</translation>
    </message>
    <message>
        <source>correct the buffer type</source>
        <translation>请更正缓冲区类型</translation>
    </message>
    <message>
        <source>needs {bytes} bytes, buffer &apos;{buffer}&apos; has {left} left</source>
        <translation>需要 {bytes} 字节，缓冲区 &apos;{buffer}&apos; 剩余 {left}</translation>
    </message>
    <message>
        <source>use a larger buffer</source>
        <translation>请使用更大的缓冲区</translation>
    </message>
    <message>
        <source>the graph uses more than {used} tensors, although its lists have only {listed}</source>
        <translation>图使用的张量超过 {used} 个，而其列表只有 {listed} 个</translation>
    </message>
    <message>
        <source>list constants in the graph&apos;s leafs</source>
        <translation>请将常量列在图的叶中</translation>
    </message>
    <message>
        <source>no backend, so there is no buffer to place it in</source>
        <translation>没有后端，因此没有可放置它的缓冲区</translation>
    </message>
    <message>
        <source>assign a backend to it</source>
        <translation>请为它指定后端</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; in {type}</source>
        <translation>{type} 中的 &apos;{tensor}&apos;</translation>
    </message>
    <message>
        <source>reuses {bytes} bytes in place but needs {needed}</source>
        <translation>就地重用 {bytes} 字节，但需要 {needed}</translation>
    </message>
    <message>
        <source>the buffer type reports different sizes for tensors of the same layout</source>
        <translation>该缓冲区类型对布局相同的张量给出不同的大小</translation>
    </message>
    <message>
        <source>needs {bytes} bytes, a buffer of {type} has at most {maximum}</source>
        <translation>需要 {bytes} 字节，{type} 的缓冲区至多 {maximum}</translation>
    </message>
    <message>
        <source>use another buffer type</source>
        <translation>请使用其他缓冲区类型</translation>
    </message>
    <message>
        <source>its buffer could not initialise it</source>
        <translation>其缓冲区无法将它初始化</translation>
    </message>
    <message>
        <source>list the viewed tensor before the view</source>
        <translation>请将被视图的张量列在视图之前</translation>
    </message>
    <message>
        <source>a multi-buffer does not support {operation}</source>
        <translation>多重缓冲区不支持 {operation}</translation>
    </message>
    <message>
        <source>use the buffer of the tensor</source>
        <translation>请使用该张量的缓冲区</translation>
    </message>
    <message>
        <source>multi-buffer</source>
        <translation>多重缓冲区</translation>
    </message>
    <message>
        <source>a part is missing</source>
        <translation>缺少一个部分</translation>
    </message>
    <message>
        <source>pass buffers</source>
        <translation>请传入缓冲区</translation>
    </message>
    <message>
        <source>a multi-buffer needs at least one part</source>
        <translation>多重缓冲区至少需要一个部分</translation>
    </message>
    <message>
        <source>there is no buffer position {index}</source>
        <translation>没有缓冲区位置 {index}</translation>
    </message>
    <message>
        <source>graph allocator</source>
        <translation>图分配器</translation>
    </message>
    <message>
        <source>use a position below {limit}</source>
        <translation>请使用小于 {limit} 的位置</translation>
    </message>
    <message>
        <source>an empty tensor in the empty buffer of {type} has no address and would be placed twice</source>
        <translation>{type} 的空缓冲区中的空张量没有地址，会被放置两次</translation>
    </message>
    <message>
        <source>leave tensors without elements out of the graph</source>
        <translation>请勿在图中使用没有元素的张量</translation>
    </message>
    <message>
        <source>not enough space: {bytes} bytes requested, the largest free block has {block}</source>
        <translation>空间不足：请求 {bytes} 字节，最大的空闲块为 {block}</translation>
    </message>
    <message>
        <source>use a buffer type with a larger maximum, or a smaller graph</source>
        <translation>请使用上限更大的缓冲区类型，或较小的图</translation>
    </message>
    <message>
        <source>not enough space: {bytes} bytes requested, a chunk has at most {chunk}</source>
        <translation>空间不足：请求 {bytes} 字节，一块至多 {chunk}</translation>
    </message>
    <message>
        <source>use a smaller graph</source>
        <translation>请使用较小的图</translation>
    </message>
    <message>
        <source>more than {limit} free blocks</source>
        <translation>空闲块超过 {limit} 个</translation>
    </message>
    <message>
        <source>the memory is too fragmented; use a smaller graph</source>
        <translation>内存过于零碎；请使用较小的图</translation>
    </message>
    <message>
        <source>no cause was recorded</source>
        <translation>没有记录原因</translation>
    </message>
    <message>
        <source>assigned before scheduling, by the program or the user</source>
        <translation>在调度前由程序或用户指定</translation>
    </message>
    <message>
        <source>already resides in a buffer of this backend</source>
        <translation>已在此后端的缓冲区中</translation>
    </message>
    <message>
        <source>the tensor it views resides in a buffer of this backend</source>
        <translation>它所视图的张量在此后端的缓冲区中</translation>
    </message>
    <message>
        <source>an input; inputs start on the last backend</source>
        <translation>是输入；输入从最后一个后端开始</translation>
    </message>
    <message>
        <source>its weights are on the last backend, and this one offers to offload the operation</source>
        <translation>其权重在最后一个后端上，而此后端愿意接手该运算</translation>
    </message>
    <message>
        <source>follows the weights in source {source}</source>
        <translation>跟随源 {source} 中的权重</translation>
    </message>
    <message>
        <source>spread from a neighbour; this backend supports the operation</source>
        <translation>从相邻节点扩展而来；此后端支持该运算</translation>
    </message>
    <message>
        <source>the backend that can use most of its sources</source>
        <translation>能使用其最多源的后端</translation>
    </message>
    <message>
        <source>moved to a higher-priority backend with the same buffer type</source>
        <translation>移到缓冲区类型相同、优先级更高的后端</translation>
    </message>
    <message>
        <source>takes the backend of the tensor it views</source>
        <translation>取其所视图的张量的后端</translation>
    </message>
    <message>
        <source>takes the backend of the first node that reads it</source>
        <translation>取第一个读取它的节点的后端</translation>
    </message>
    <message>
        <source>copied to the backend of the split that reads it</source>
        <translation>复制到读取它的分段的后端</translation>
    </message>
    <message>
        <source>spread upwards from a later node</source>
        <translation>从后面的节点向上扩展</translation>
    </message>
    <message>
        <source>spread downwards from an earlier node</source>
        <translation>从前面的节点向下扩展</translation>
    </message>
    <message>
        <source>Assignments by the program or the user, before the first pass.</source>
        <translation>第一轮之前由程序或用户指定的后端。</translation>
    </message>
    <message>
        <source>What is already fixed: tensors that reside in a buffer, and nodes that read weights.</source>
        <translation>已经确定的：位于缓冲区中的张量，以及读取权重的节点。</translation>
    </message>
    <message>
        <source>What is already fixed: tensors that reside in a buffer, inputs, and nodes that read weights.</source>
        <translation>已经确定的：位于缓冲区中的张量、输入，以及读取权重的节点。</translation>
    </message>
    <message>
        <source>Accelerators spread up, from last node to first.</source>
        <translation>加速器向上扩展，从最后一个节点到第一个。</translation>
    </message>
    <message>
        <source>Accelerators spread down, from first node to last.</source>
        <translation>加速器向下扩展，从第一个节点到最后一个。</translation>
    </message>
    <message>
        <source>Every backend spreads up.</source>
        <translation>每个后端向上扩展。</translation>
    </message>
    <message>
        <source>Every backend spreads up, the CPU included.</source>
        <translation>每个后端向上扩展，包括 CPU。</translation>
    </message>
    <message>
        <source>Every backend spreads down.</source>
        <translation>每个后端向下扩展。</translation>
    </message>
    <message>
        <source>Every backend spreads down, the CPU included.</source>
        <translation>每个后端向下扩展，包括 CPU。</translation>
    </message>
    <message>
        <source>Views and sources take the backend of what they belong to.</source>
        <translation>视图和源取其所属者的后端。</translation>
    </message>
    <message>
        <source>Unassigned nodes go where most sources are usable; others move up to a higher-priority backend with the same buffer type.</source>
        <translation>未指定的节点去往最多源可用之处；其他节点上移到缓冲区类型相同、优先级更高的后端。</translation>
    </message>
    <message>
        <source>Cut into splits; sources on another backend are copied.</source>
        <translation>切成分段；其他后端上的源被复制。</translation>
    </message>
    <message>
        <source>Cut into splits; sources that a split cannot read in place are copied.</source>
        <translation>切成分段；分段不能就地读取的源被复制。</translation>
    </message>
    <message>
        <source>Copy &apos;{copy}&apos; of split {split} overlaps the memory of &apos;{tensor}&apos; itself. The real scheduler does the same; the copy is then not a second tensor, and writing one changes the other.</source>
        <translation>分段 {split} 的副本“{copy}”与“{tensor}”自己的内存重叠。真正的调度器也是如此；这样副本就不是第二个张量，写其中一个会改变另一个。</translation>
    </message>
    <message>
        <source>Split {split} copies &apos;{tensor}&apos; to &apos;{copy}&apos; before it computes the data that &apos;{tensor}&apos; views. The real scheduler does the same; the copy holds stale data. Assign the view to the backend of the tensor it views.</source>
        <translation>分段 {split} 在算出“{tensor}”所示的内容之前就把它复制到“{copy}”。真正的调度器也是如此；副本中是旧数据。请将视图指定到其所视图张量的后端。</translation>
    </message>
    <message>
        <source>the graph uses buffer &apos;{name}&apos;, which the machine lacks</source>
        <translation>图使用缓冲区 &apos;{name}&apos;，而机器没有它</translation>
    </message>
    <message>
        <source>generation {generation} has no operation {op}</source>
        <translation>{generation} 这一代没有运算 {op}</translation>
    </message>
    <message>
        <source>generation {generation} has no type {type}</source>
        <translation>{generation} 这一代没有类型 {type}</translation>
    </message>
    <message numerus="yes">
        <source>{count} backends; 1 to {limit} are supported</source>
        <translation>
            <numerusform>有 {count} 个后端；可以有 1 到 {limit} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>the last backend, &apos;{name}&apos;, is not the CPU</source>
        <translation>最后一个后端 &apos;{name}&apos; 不是 CPU</translation>
    </message>
    <message>
        <source>&apos;{backend}&apos; does not support its own buffer type &apos;{type}&apos;</source>
        <translation>“{backend}”不支持它自己的缓冲区类型“{type}”</translation>
    </message>
    <message>
        <source>an assignment names tensor {tensor}, the graph has {count}</source>
        <translation>有指定使用张量 {tensor}，而图有 {count} 个</translation>
    </message>
    <message>
        <source>an assignment names backend {backend}, the machine has {count}</source>
        <translation>有指定使用后端 {backend}，而机器有 {count} 个</translation>
    </message>
    <message>
        <source>an assignment names {backend}, which is not among the devices used</source>
        <translation>有一项指定的是 {backend}，但它不在使用的设备之中</translation>
    </message>
    <message>
        <source>the two schedules are of different graphs</source>
        <translation>两个调度的图不同</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>compare schedules of the same graph</source>
        <translation>请比较同一个图的调度</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>scheduler of generation {generation}</source>
        <translation>{generation} 这一代的调度器</translation>
    </message>
    <message>
        <source>change the list of backends</source>
        <translation>请更改后端列表</translation>
    </message>
    <message>
        <source>use a backend index below {limit}</source>
        <translation>请使用小于 {limit} 的后端编号</translation>
    </message>
    <message>
        <source>the graph needs room for {needed} tensors, there is room for {capacity}</source>
        <translation>图需要 {needed} 个张量的空间，而只有 {capacity} 个</translation>
    </message>
    <message>
        <source>make the scheduler for larger graphs</source>
        <translation>请为更大的图建立调度器</translation>
    </message>
    <message>
        <source>look at the decisions up to there</source>
        <translation>请查看到此为止的决策</translation>
    </message>
    <message>
        <source>&apos;{tensor}&apos; is pre-allocated where no backend can run {op}</source>
        <translation>&apos;{tensor}&apos; 预先分配之处没有能运行 {op} 的后端</translation>
    </message>
    <message>
        <source>no backend supports buffer type &apos;{type}&apos;, in which &apos;{tensor}&apos; resides</source>
        <translation>没有后端支持 &apos;{tensor}&apos; 所在的缓冲区类型 &apos;{type}&apos;</translation>
    </message>
    <message>
        <source>no backend supports {op} of &apos;{tensor}&apos;</source>
        <translation>没有后端支持 &apos;{tensor}&apos; 的 {op}</translation>
    </message>
    <message>
        <source>&apos;{backend}&apos; reordered a split and lost or added nodes</source>
        <translation>&apos;{backend}&apos; 重排分段时丢失或增加了节点</translation>
    </message>
    <message>
        <source>node &apos;{tensor}&apos; has no backend</source>
        <translation>节点 &apos;{tensor}&apos; 没有后端</translation>
    </message>
    <message>
        <source>leaf &apos;{tensor}&apos; has no backend</source>
        <translation>叶 &apos;{tensor}&apos; 没有后端</translation>
    </message>
    <message>
        <source>no backend was found for {op} &apos;{tensor}&apos;</source>
        <translation>没有为 {op} &apos;{tensor}&apos; 找到后端</translation>
    </message>
    <message>
        <source>no backend was found for &apos;{source}&apos;, which &apos;{node}&apos; reads</source>
        <translation>没有为 &apos;{node}&apos; 读取的 &apos;{source}&apos; 找到后端</translation>
    </message>
    <message>
        <source>more than {limit} splits; &apos;{node}&apos; would begin another one</source>
        <translation>分段超过 {limit} 个；&apos;{node}&apos; 会开始新的分段</translation>
    </message>
    <message>
        <source>more than {limit} user inputs in a pipelined graph: &apos;{input}&apos;, read by &apos;{node}&apos;</source>
        <translation>流水线图的用户输入超过 {limit} 个：&apos;{input}&apos;，由 &apos;{node}&apos; 读取</translation>
    </message>
    <message>
        <source>split {split} has more than {limit} inputs: &apos;{input}&apos;, read by &apos;{node}&apos;</source>
        <translation>分段 {split} 的输入超过 {limit} 个：&apos;{input}&apos;，由 &apos;{node}&apos; 读取</translation>
    </message>
    <message>
        <source>{tensor} (source {source})</source>
        <translation>{tensor}（源 {source}）</translation>
    </message>
    <message>
        <source>resides in buffer type {type}</source>
        <translation>位于缓冲区类型 {type}</translation>
    </message>
    <message>
        <source>views {tensor}</source>
        <translation>是 {tensor} 的视图</translation>
    </message>
    <message>
        <source>views {tensor}, which resides in buffer type {type}</source>
        <translation>是 {tensor} 的视图，后者位于缓冲区类型 {type}</translation>
    </message>
    <message>
        <source>reads {tensor}</source>
        <translation>读取 {tensor}</translation>
    </message>
    <message>
        <source>reads {tensor}, which resides in buffer type {type}</source>
        <translation>读取 {tensor}，后者位于缓冲区类型 {type}</translation>
    </message>
    <message>
        <source>first read by {tensor}</source>
        <translation>最先由 {tensor} 读取</translation>
    </message>
    <message>
        <source>spread from {tensor}</source>
        <translation>从 {tensor} 扩展而来</translation>
    </message>
    <message numerus="yes">
        <source>{count} usable sources</source>
        <translation>
            <numerusform>{count} 个可用的源</numerusform>
        </translation>
    </message>
    <message>
        <source>same buffer type {type}</source>
        <translation>相同的缓冲区类型 {type}</translation>
    </message>
    <message>
        <source>for {tensor}</source>
        <translation>用于 {tensor}</translation>
    </message>
    <message>
        <source>this generation cannot reserve</source>
        <translation>这一代不能预留</translation>
    </message>
    <message>
        <source>call init_measure</source>
        <translation>请调用 init_measure</translation>
    </message>
    <message>
        <source>this generation cannot measure without allocating</source>
        <translation>这一代不能只测量而不分配</translation>
    </message>
    <message>
        <source>call reserve</source>
        <translation>请调用 reserve</translation>
    </message>
    <message>
        <source>this generation cannot split without allocating</source>
        <translation>这一代不能只切分而不分配</translation>
    </message>
    <message>
        <source>call alloc</source>
        <translation>请调用 alloc</translation>
    </message>
    <message>
        <source>a graph is already allocated</source>
        <translation>已经分配了一个图</translation>
    </message>
    <message>
        <source>call reset before the next graph</source>
        <translation>请在下一个图之前调用 reset</translation>
    </message>
    <message>
        <source>the allocated graph reads the pipeline copies of its first run</source>
        <translation>已分配的图读取其首次运行的流水线副本</translation>
    </message>
    <message>
        <source>call reset and allocate it again</source>
        <translation>请调用 reset 并重新分配</translation>
    </message>
    <message>
        <source>this generation measures by reserving</source>
        <translation>这一代通过预留来测量</translation>
    </message>
    <message>
        <source>it has already measured</source>
        <translation>已经测量过</translation>
    </message>
    <message>
        <source>make a new scheduler</source>
        <translation>请建立新的调度器</translation>
    </message>
    <message>
        <source>it has one graph allocator for all backends</source>
        <translation>所有后端共用一个图分配器</translation>
    </message>
    <message>
        <source>ask for buffers</source>
        <translation>请查询缓冲区</translation>
    </message>
    <message>
        <source>the backend has no compute buffer</source>
        <translation>该后端没有计算缓冲区</translation>
    </message>
    <message>
        <source>reserve or measure a graph first</source>
        <translation>请先预留或测量一个图</translation>
    </message>
    <message>
        <source>no graph is prepared</source>
        <translation>没有准备好的图</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>call prepare first</source>
        <translation>请先调用 prepare</translation>
    </message>
    <message>
        <source>expert {expert} is not one of the {count} experts</source>
        <translation>专家 {expert} 不在 {count} 个专家之中</translation>
    </message>
    <message>
        <source>check the node that routes tokens to experts</source>
        <translation>请检查将词元分给专家的节点</translation>
    </message>
    <message>
        <source>the computation ended with &apos;{status}&apos;</source>
        <translation>计算以 &apos;{status}&apos; 结束</translation>
    </message>
    <message>
        <source>compare with another backend</source>
        <translation>请与其他后端比较</translation>
    </message>
    <message>
        <source>{node} on {backend}</source>
        <translation>{backend} 上的 {node}</translation>
    </message>
    <message>
        <source>its buffer could not initialise it ({status})</source>
        <translation>其缓冲区无法将它初始化（{status}）</translation>
    </message>
    <message>
        <source>place it on another backend</source>
        <translation>请将它放到其他后端上</translation>
    </message>
    <message>
        <source>split {split} on {backend}, node {node}</source>
        <translation>分段 {split}（{backend}），节点 {node}</translation>
    </message>
    <message>
        <source>split {split} on {backend}, nodes {first} to {last}</source>
        <translation>分段 {split}（{backend}），节点 {first} 至 {last}</translation>
    </message>
    <message>
        <source>the node is assigned to {backend}, which {refusal}</source>
        <translation>此节点分配给 {backend}，但它{refusal}</translation>
    </message>
    <message>
        <source>convert the tensor to another type, or use a backend that supports it</source>
        <translation>请将张量转换为其他类型，或使用支持它的后端</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>the schedule ended with an error: {problem}</source>
        <translation>调度以错误结束：{problem}</translation>
    </message>
    <message>
        <source>change the machine or the assignments first</source>
        <translation>请先更改机器或指定</translation>
    </message>
    <message>
        <source>the schedule is for {wanted} backends, but there are {found}</source>
        <translation>调度用于 {wanted} 个后端，而有 {found} 个</translation>
    </message>
    <message>
        <source>run it on the machine it was made for</source>
        <translation>请在它所针对的机器上运行</translation>
    </message>
    <message>
        <source>the schedule uses pipeline copy {copy}, but the executor has {count}</source>
        <translation>调度使用第 {copy} 个流水线副本，但执行器只有 {count} 个</translation>
    </message>
    <message>
        <source>create the executor with as many copies as the scheduler</source>
        <translation>请使执行器与调度器的副本数相同</translation>
    </message>
    <message>
        <source>values of this type cannot be read back</source>
        <translation>无法读回这种类型的值</translation>
    </message>
    <message>
        <source>look at the tensor it was converted from</source>
        <translation>请查看它由之转换而来的张量</translation>
    </message>
    <message>
        <source>its data ends before its last value</source>
        <translation>其数据在最后一个值之前结束</translation>
    </message>
    <message>
        <source>read it again</source>
        <translation>请重新读取</translation>
    </message>
    <message>
        <source>the range is outside the tensor</source>
        <translation>范围超出该张量</translation>
    </message>
    <message>
        <source>stay inside its shape</source>
        <translation>请不要超出其形状</translation>
    </message>
    <message>
        <source>the shapes differ</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>compare tensors of the same shape</source>
        <translation>请比较形状相同的张量</translation>
    </message>
    <message>
        <source>the tensor has no such element</source>
        <translation>该张量没有这个元素</translation>
    </message>
    <message>
        <source>rows and columns are the same dimension</source>
        <translation>行和列是同一个维</translation>
    </message>
    <message>
        <source>choose two different dimensions</source>
        <translation>请选择两个不同的维</translation>
    </message>
    <message>
        <source>quantised blocks cannot be cut</source>
        <translation>量化块不能切开</translation>
    </message>
    <message>
        <source>use dimension 0 as columns</source>
        <translation>请将第 0 维作为列</translation>
    </message>
    <message>
        <source>values of this type cannot be edited individually</source>
        <translation>这种类型的值不能逐个写入</translation>
    </message>
    <message>
        <source>edit a tensor that is not quantised</source>
        <translation>请编辑未量化的张量</translation>
    </message>
    <message>
        <source>its data ends before this element</source>
        <translation>其数据在这个元素之前结束</translation>
    </message>
    <message>
        <source>debugger</source>
        <translation>调试器</translation>
    </message>
    <message>
        <source>the run is not paused</source>
        <translation>运行没有暂停</translation>
    </message>
    <message>
        <source>pause it first</source>
        <translation>请先暂停</translation>
    </message>
    <message>
        <source>it was overwritten by a later computation</source>
        <translation>它已被之后计算出的内容覆盖</translation>
    </message>
    <message>
        <source>start the run again</source>
        <translation>请重新开始运行</translation>
    </message>
    <message>
        <source>the run has no such tensor</source>
        <translation>此次运行没有这个张量</translation>
    </message>
    <message>
        <source>choose a tensor of its graph</source>
        <translation>请选择其图中的张量</translation>
    </message>
    <message>
        <source>too large to read: {bytes}</source>
        <translation>太大而无法读取：{bytes}</translation>
    </message>
    <message>
        <source>choose a smaller tensor</source>
        <translation>请查看较小的张量</translation>
    </message>
    <message>
        <source>it has {bytes} bytes, not {given}</source>
        <translation>它有 {bytes} 字节，而不是 {given} 字节</translation>
    </message>
    <message>
        <source>provide all of its values</source>
        <translation>请给出它的全部值</translation>
    </message>
    <message>
        <source>breakpoint</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>there is no operation &apos;{name}&apos;</source>
        <translation>没有运算 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use a name such as MUL_MAT</source>
        <translation>请使用 MUL_MAT 这样的名称</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; matches no node of the graph</source>
        <translation>图中没有节点与“{text}”匹配</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; matches no node of split {split}</source>
        <translation>分段 {split} 中没有节点与“{text}”匹配</translation>
    </message>
    <message>
        <source>choose a node; the most similar names are {names}</source>
        <translation>请选择一个节点；最相近的名称有 {names}</translation>
    </message>
    <message>
        <source>choose a split that has such nodes: {splits}</source>
        <translation>请选择有这种节点的分段：{splits}</translation>
    </message>
    <message>
        <source>there is nothing to stop at</source>
        <translation>没有写明在何处停下</translation>
    </message>
    <message>
        <source>enter a name, a pattern or an operation</source>
        <translation>请给出名称、模式或运算</translation>
    </message>
    <message>
        <source>more than {limit} breakpoints</source>
        <translation>断点超过 {limit} 个</translation>
    </message>
    <message>
        <source>remove some of them first</source>
        <translation>请先删除其中一些</translation>
    </message>
    <message>
        <source>there is nothing to allocate</source>
        <translation>没有可分配的内容</translation>
    </message>
    <message>
        <source>copy of the graph</source>
        <translation>图的副本</translation>
    </message>
    <message>
        <source>copy a graph that has data</source>
        <translation>请复制有数据的图</translation>
    </message>
    <message>
        <source>allocate the graph before copying it</source>
        <translation>请在复制之前分配该图</translation>
    </message>
    <message>
        <source>its buffer could not initialise the copy</source>
        <translation>其缓冲区无法将副本初始化</translation>
    </message>
    <message>
        <source>the copy is {copy} where the original is {original}, or their layouts differ</source>
        <translation>副本是 {copy} 而原件是 {original}，或者它们的布局不同</translation>
    </message>
    <message>
        <source>report this as a bug</source>
        <translation>请报告此问题</translation>
    </message>
    <message>
        <source>none of the tensors to compare is a node of the graph</source>
        <translation>要比较的张量都不是图的节点</translation>
    </message>
    <message>
        <source>name nodes</source>
        <translation>请写明节点</translation>
    </message>
    <message>
        <source>Scheduling</source>
        <translation>正在调度</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Placing the model</source>
        <translation>正在放置模型</translation>
    </message>
    <message>
        <source>Matching tensors</source>
        <translation>正在匹配张量</translation>
    </message>
    <message>
        <source>Reading the session</source>
        <translation>正在读取会话</translation>
    </message>
    <message>
        <source>Reading the model file</source>
        <translation>正在读取模型文件</translation>
    </message>
    <message>
        <source>Loading the weights</source>
        <translation>正在加载权重</translation>
    </message>
    <message>
        <source>a model cannot be read from standard input</source>
        <translation>无法从标准输入读取模型</translation>
    </message>
    <message>
        <source>give its file name; graphs, logs, recordings and dumps can be read from standard input</source>
        <translation>请指定其文件；图、日志、录制和转储可以从标准输入读取</translation>
    </message>
    <message>
        <source>this is a session; a model or a graph is expected</source>
        <translation>这是会话，而此处需要模型或图</translation>
    </message>
    <message>
        <source>open the file that the session refers to</source>
        <translation>请指定会话所涉及的文件</translation>
    </message>
    <message>
        <source>neither a GGUF model (no &apos;GGUF&apos; at byte 0), nor a JSON document, nor a log or dump of a scheduled graph</source>
        <translation>既不是 GGUF 模型（第 0 字节处没有 &apos;GGUF&apos;），也不是 JSON 文档，也不是调度图的日志或转储</translation>
    </message>
    <message>
        <source>open a .gguf model, a .graph.json graph or a log written with GGML_SCHED_DEBUG=2</source>
        <translation>请打开 .gguf 模型、.graph.json 图或用 GGML_SCHED_DEBUG=2 生成的日志</translation>
    </message>
    <message>
        <source>a file of the program is missing</source>
        <translation>缺少程序的一个文件</translation>
    </message>
    <message>
        <source>reinstall, or set SPLITSCOPE_RESOURCES to the folder that holds it</source>
        <translation>请重新安装，或将 SPLITSCOPE_RESOURCES 设为其所在的文件夹</translation>
    </message>
    <message>
        <source>the recording holds no graph</source>
        <translation>录制中没有图</translation>
    </message>
    <message>
        <source>record a program that computes with ggml&apos;s shared libraries</source>
        <translation>请录制使用 ggml 共享库进行计算的程序</translation>
    </message>
    <message>
        <source>graph {number}</source>
        <translation>图 {number}</translation>
    </message>
    <message numerus="yes">
        <source>the recording holds {count} distinct graphs</source>
        <translation>
            <numerusform>录制中有 {count} 个不同的图</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the log holds {count} distinct graphs</source>
        <translation>
            <numerusform>日志中有 {count} 个不同的图</numerusform>
        </translation>
    </message>
    <message>
        <source>choose one of them</source>
        <translation>请选择其中之一</translation>
    </message>
    <message>
        <source>its graphs would take too much memory</source>
        <translation>其中的计算图会占用过多内存</translation>
    </message>
    <message>
        <source>the log holds no scheduled graph</source>
        <translation>日志中没有调度器的图</translation>
    </message>
    <message>
        <source>run the program with GGML_SCHED_DEBUG=2, and with -v if it hides debug output</source>
        <translation>请以 GGML_SCHED_DEBUG=2 运行程序；若它隐藏调试输出，再加 -v</translation>
    </message>
    <message>
        <source>the file holds no decisions to compare a model with</source>
        <translation>文件中没有可与模型比较的决策</translation>
    </message>
    <message>
        <source>use a log or a recording</source>
        <translation>请使用日志或录制</translation>
    </message>
    <message>
        <source>operations that never ran on an accelerator are assumed to be refused there</source>
        <translation>从未在加速器上运行的运算被认为是被其拒绝的</translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes are assigned as logged, for reasons that the log does not state</source>
        <translation>
            <numerusform>{count} 个节点按日志指定，原因日志没有说明</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes are scheduled elsewhere than logged</source>
        <translation>
            <numerusform>{count} 个节点的调度位置与日志不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} more distinct graphs were not kept</source>
        <translation>
            <numerusform>另有 {count} 个不同的图没有保留</numerusform>
        </translation>
    </message>
    <message>
        <source>the beginning of the graph is missing from the log</source>
        <translation>日志中缺少图的开头</translation>
    </message>
    <message>
        <source>the log ends within this graph</source>
        <translation>日志在此图中间结束</translation>
    </message>
    <message numerus="yes">
        <source>{count} parts of the log were not understood, the first in line {line}: {note}</source>
        <translation>
            <numerusform>日志中有 {count} 处无法理解，第一处在第 {line} 行：{note}</numerusform>
        </translation>
    </message>
    <message>
        <source>choose other cache types</source>
        <translation>选择其他缓存类型</translation>
    </message>
    <message>
        <source>The model cannot run with these caches: {reason}.</source>
        <translation>使用这些缓存无法运行：{reason}。</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>没有打开任何内容。</translation>
    </message>
    <message>
        <source>A recorded graph has no weights, so there is nothing to compute.</source>
        <translation>捕获的图没有权重，因此没有可计算的内容。</translation>
    </message>
    <message>
        <source>open a complete model file</source>
        <translation>请打开完整的模型文件</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>the prompt has {tokens} tokens and the context {context}</source>
        <translation>提示有 {tokens} 个词元，而上下文为 {context}</translation>
    </message>
    <message>
        <source>stopped: the context of {cells} cells is full</source>
        <translation>已停止：{cells} 个单元的上下文已满</translation>
    </message>
    <message numerus="yes">
        <source>stopped after {count} generated tokens: the next logits are not numbers (NaN); a breakpoint on the first NaN finds the node</source>
        <translation>
            <numerusform>生成 {count} 个词元后停止：接下来的 logits 不是数（NaN）；在首个 NaN 上设断点可找到该节点</numerusform>
        </translation>
    </message>
    <message>
        <source>shorten the prompt or raise the context</source>
        <translation>请缩短提示或增大上下文</translation>
    </message>
    <message>
        <source>token {token} is not in the vocabulary of {size}</source>
        <translation>词元 {token} 不在大小为 {size} 的词表中</translation>
    </message>
    <message>
        <source>use token ids of this model</source>
        <translation>请使用此模型的词元编号</translation>
    </message>
    <message>
        <source>the prompt has no tokens</source>
        <translation>提示没有词元</translation>
    </message>
    <message>
        <source>the graph returns the logits of all tokens, of which the first row is read, as in llama.cpp: the answer depends only on the first token of each batch</source>
        <translation>该图返回所有词元的 logits，与 llama.cpp 一样只读取第一行：结果只取决于每批的第一个词元</translation>
    </message>
    <message>
        <source>give token ids instead of text</source>
        <translation>请给出词元编号而不是文本</translation>
    </message>
    <message>
        <source>enter at least one word</source>
        <translation>请至少写一个词</translation>
    </message>
    <message>
        <source>try fewer layers on the accelerator or a smaller context</source>
        <translation>请在加速器上少放几层，或使用较小的上下文</translation>
    </message>
    <message>
        <source>change the machine or the assignments</source>
        <translation>请更改机器或指定</translation>
    </message>
    <message>
        <source>change the machine or the context</source>
        <translation>请更改机器或上下文</translation>
    </message>
    <message>
        <source>the machine has no buffer &apos;{name}&apos;</source>
        <translation>机器没有缓冲区 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>add it to the machine</source>
        <translation>请将它加入机器</translation>
    </message>
    <message>
        <source>no backend allocates buffers of the type of &apos;{name}&apos;</source>
        <translation>没有后端将其张量放在 &apos;{name}&apos; 的类型中</translation>
    </message>
    <message>
        <source>assign this buffer type to a backend</source>
        <translation>请为一个后端指定此缓冲区类型</translation>
    </message>
    <message>
        <source>the tensor has no memory in this run</source>
        <translation>此张量在这次运行中没有内存</translation>
    </message>
    <message>
        <source>start the run again with this model and placement</source>
        <translation>请以此模型和放置重新开始运行</translation>
    </message>
    <message>
        <source>the other run does not compute it</source>
        <translation>另一次运行不计算它</translation>
    </message>
    <message>
        <source>choose another node</source>
        <translation>请选择其他节点</translation>
    </message>
    <message>
        <source>a V cache of type {type} is quantised, which needs flash attention</source>
        <translation>类型为 {type} 的 V 缓存是量化的，需要快速注意力</translation>
    </message>
    <message>
        <source>enable flash attention, or use f16, bf16 or f32 for the V cache</source>
        <translation>请打开快速注意力，或将 f16、bf16 或 f32 用于 V 缓存</translation>
    </message>
    <message>
        <source>use f16, bf16 or f32 for the V cache; models of {architecture} have no flash attention</source>
        <translation>请将 f16、bf16 或 f32 用于 V 缓存；{architecture} 的模型没有快速注意力</translation>
    </message>
    <message>
        <source>Flash attention is off: {reason}.</source>
        <translation>Flash 注意力已关闭：{reason}。</translation>
    </message>
    <message>
        <source>block {block} is on {device} but its attention is computed on {other}</source>
        <translation>块 {block} 在 {device} 上，但其注意力在 {other} 上计算</translation>
    </message>
    <message>
        <source>the file&apos;s name is not UTF-8</source>
        <translation>文件名不是 UTF-8 编码</translation>
    </message>
    <message>
        <source>rename the file or its folder</source>
        <translation>请重命名该文件或其所在的文件夹</translation>
    </message>
    <message>
        <source>data read from standard input cannot be opened again</source>
        <translation>从标准输入读取的内容无法再次打开</translation>
    </message>
    <message>
        <source>save it as a file first, and open that</source>
        <translation>请先保存为文件，然后打开该文件</translation>
    </message>
    <message>
        <source>{value} is out of range</source>
        <translation>{value} 超出范围</translation>
    </message>
    <message>
        <source>use {low} to {high}</source>
        <translation>请使用 {low} 到 {high}</translation>
    </message>
    <message>
        <source>unknown element type &apos;{name}&apos;</source>
        <translation>未知的元素类型 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use f32, f16 or q8_0</source>
        <translation>请使用 f32、f16 或 q8_0</translation>
    </message>
    <message>
        <source>unknown mode &apos;{name}&apos;</source>
        <translation>未知的方式 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use none, layer or row</source>
        <translation>请使用 none、layer 或 row</translation>
    </message>
    <message>
        <source>unknown graph kind &apos;{name}&apos;</source>
        <translation>未知的图种类 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use decode or prefill</source>
        <translation>请使用 decode 或 prefill</translation>
    </message>
    <message>
        <source>not a kind of breakpoint on decisions</source>
        <translation>不是停止的种类</translation>
    </message>
    <message>
        <source>use tensor, cause or backend</source>
        <translation>请使用 tensor、cause 或 backend</translation>
    </message>
    <message>
        <source>not a kind of breakpoint</source>
        <translation>不是断点的种类</translation>
    </message>
    <message>
        <source>write {example}</source>
        <translation>请写 {example}</translation>
    </message>
    <message>
        <source>{finding} ({graph})</source>
        <translation>{finding}（{graph}）</translation>
    </message>
    <message>
        <source>one token</source>
        <translation>一个词元</translation>
    </message>
    <message>
        <source>a prompt of {tokens} tokens</source>
        <translation>{tokens} 个词元的提示</translation>
    </message>
    <message>
        <source>{device} needs {needed} and has {memory}: {lacking} short</source>
        <translation>{device} 需要 {needed}，有 {memory}：少 {lacking}</translation>
    </message>
    <message>
        <source>{device} needs {needed} and has {memory}: {lacking} of the weights mapped from the file are read from disk whenever they are needed</source>
        <translation>{device} 需要 {needed}，只有 {memory}：从文件映射的权重中有 {lacking} 每次需要时都从磁盘读取</translation>
    </message>
    <message>
        <source>use a computer with more memory, a smaller model, or more layers on devices</source>
        <translation>使用内存更大的计算机、更小的模型，或在设备上放置更多的层</translation>
    </message>
    <message>
        <source>Starts, but does not fit: {bytes} of the weights mapped from the file exceed the memory of {device} and are read from disk whenever they are needed</source>
        <translation>可以启动，但放不下：从文件映射的权重有 {bytes} 超出 {device} 的内存，每次需要时都从磁盘读取</translation>
    </message>
    <message>
        <source>weights {bytes}</source>
        <translation>权重 {bytes}</translation>
    </message>
    <message>
        <source>caches {bytes}</source>
        <translation>缓存 {bytes}</translation>
    </message>
    <message>
        <source>compute buffer {bytes}</source>
        <translation>计算缓冲区 {bytes}</translation>
    </message>
    <message>
        <source>results {bytes}</source>
        <translation>结果 {bytes}</translation>
    </message>
    <message>
        <source>the override &apos;{pattern}={target}&apos; has no effect</source>
        <translation>覆盖规则 &apos;{pattern}={target}&apos; 不起作用</translation>
    </message>
    <message>
        <source>it matches the name of no tensor in the file</source>
        <translation>文件中没有名称与之匹配的张量</translation>
    </message>
    <message numerus="yes">
        <source>the override &apos;{pattern}={target}&apos; does not apply to {count} tensors</source>
        <translation>
            <numerusform>覆盖规则 &apos;{pattern}={target}&apos; 不适用于 {count} 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>&apos;{pattern}&apos; matches them first</source>
        <translation>&apos;{pattern}&apos; 先与它们匹配</translation>
    </message>
    <message>
        <source>put the narrower rule first</source>
        <translation>将较窄的规则放在前面</translation>
    </message>
    <message>
        <source>the context of {context} tokens exceeds the {trained} that the model was trained for</source>
        <translation>上下文 {context} 个词元超出模型训练时的 {trained} 个</translation>
    </message>
    <message>
        <source>llama.cpp warns, and llama-server of 2026-08 limits each request to {trained} tokens</source>
        <translation>llama.cpp 会发出警告，2026-08 的 llama-server 把每个请求限制为 {trained} 个词元</translation>
    </message>
    <message>
        <source>lower the context to {trained}, unless the program scales positions (RoPE)</source>
        <translation>把上下文降到 {trained}，除非程序缩放位置（RoPE）</translation>
    </message>
    <message>
        <source>lower the context to {trained}, unless several requests share it or the program scales positions (RoPE)</source>
        <translation>把上下文降到 {trained}，除非多个请求共享它，或程序缩放位置（RoPE）</translation>
    </message>
    <message>
        <source>several devices work one after another</source>
        <translation>多个设备依次工作</translation>
    </message>
    <message>
        <source>any override disables pipelining</source>
        <translation>任何覆盖规则都会关闭流水线</translation>
    </message>
    <message>
        <source>pipelining keeps four copies of every split input</source>
        <translation>每个分段的输入有四份</translation>
    </message>
    <message>
        <source>without pipelining {bytes} less</source>
        <translation>不用流水线则少 {bytes}</translation>
    </message>
    <message>
        <source>{bytes} on {device}</source>
        <translation>{device} 上 {bytes}</translation>
    </message>
    <message>
        <source>accept the extra memory, or place one layer fewer on the devices, which disables pipelining</source>
        <translation>接受这些内存，或在设备上少放一层以关闭流水线</translation>
    </message>
    <message numerus="yes">
        <source>attention of {count} blocks does not run on {device}</source>
        <translation>
            <numerusform>{count} 个块的注意力不在 {device} 上运行</numerusform>
        </translation>
    </message>
    <message>
        <source>{device} does not support flash attention with {keys} keys and {values} values for this shape</source>
        <translation>{device} 没有键为 {keys}、值为 {values}、适合此形状的 Flash 注意力</translation>
    </message>
    <message>
        <source>the caches stay on the CPU</source>
        <translation>缓存留在 CPU 上</translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes of {op} run on the CPU</source>
        <translation>
            <numerusform>{count} 个 {op} 节点在 CPU 上运行</numerusform>
        </translation>
    </message>
    <message>
        <source>the first is {node}</source>
        <translation>第一个是 {node}</translation>
    </message>
    <message>
        <source>use weights of an element type that the device supports</source>
        <translation>使用设备支持的元素类型的权重</translation>
    </message>
    <message>
        <source>use a device or a driver that supports the operation, or place fewer layers there</source>
        <translation>使用支持该运算的设备或驱动程序，或者在该设备上放置更少的层</translation>
    </message>
    <message>
        <source>{op} makes a round trip from {device} to the CPU</source>
        <translation>{op} 离开 {device} 去往 CPU 再返回</translation>
    </message>
    <message numerus="yes">
        <source>{op} makes {count} round trips from {device} to the CPU</source>
        <translation>
            <numerusform>{op} 离开 {device} 去往 CPU 再返回，{count} 次</numerusform>
        </translation>
    </message>
    <message>
        <source>{device} does not run it</source>
        <translation>{device} 不运行它</translation>
    </message>
    <message>
        <source>the round trip copies {bytes} per run</source>
        <translation>来回每次复制 {bytes}</translation>
    </message>
    <message>
        <source>the round trip copies {bytes} per run and takes about {time}</source>
        <translation>来回每次复制 {bytes}，约需 {time}</translation>
    </message>
    <message>
        <source>choose cache types and attention that the device supports</source>
        <translation>选择该设备支持的缓存类型和注意力</translation>
    </message>
    <message numerus="yes">
        <source>{count} splits end early, the first is split {first}</source>
        <translation>
            <numerusform>{count} 个分段提前结束，第一个是分段 {first}</numerusform>
        </translation>
    </message>
    <message>
        <source>a split takes at most {limit} inputs</source>
        <translation>一个分段最多有 {limit} 个输入</translation>
    </message>
    <message>
        <source>keep tensors that are used together on one device</source>
        <translation>将属于一起的放在一个设备上</translation>
    </message>
    <message>
        <source>in the graph of {graph}</source>
        <translation>在 {graph} 的图中</translation>
    </message>
    <message>
        <source>place the tensor where its operation can run</source>
        <translation>将张量放在其运算能运行的地方</translation>
    </message>
    <message>
        <source>{bytes} of weights are uploaded for each graph of {graph}</source>
        <translation>{graph}：每个图有 {bytes} 的权重经过链路</translation>
    </message>
    <message>
        <source>devices take over operations on weights that stay in the CPU&apos;s memory</source>
        <translation>设备接手对留在 CPU 内存中的权重的运算</translation>
    </message>
    <message>
        <source>{device} for batches of {batch} or more</source>
        <translation>{device} 从批次 {batch} 起</translation>
    </message>
    <message>
        <source>a copy overlaps its own original</source>
        <translation>副本与自己的原张量重叠</translation>
    </message>
    <message>
        <source>a tensor is copied before it is computed</source>
        <translation>张量在计算之前就被复制</translation>
    </message>
    <message>
        <source>choose another placement</source>
        <translation>选择其他放置</translation>
    </message>
    <message>
        <source>the opened file is incomplete or contains unknown names</source>
        <translation>打开的文件没有说明一切，或用了这里不认识的词</translation>
    </message>
    <message>
        <source>supply the missing facts in a machine file, or record the program instead</source>
        <translation>用机器文件补充所缺的内容，或改为录制程序</translation>
    </message>
    <message>
        <source>No graphs: {reason}.</source>
        <translation>没有图：{reason}。</translation>
    </message>
    <message>
        <source>There is no graph builder for the architecture &apos;{architecture}&apos;: compute buffers, splits, copies and speed are not known; weights and caches are. &apos;splitscope capture&apos; records the graph with your llama.cpp.</source>
        <translation>没有架构 &apos;{architecture}&apos; 的图构建器：计算缓冲区、分段、复制和速度未知；权重和缓存已知。&apos;splitscope capture&apos; 可从 llama.cpp 的一次运行中取得该图。</translation>
    </message>
    <message>
        <source>Scheduling ends early: {problem}</source>
        <translation>调度提前结束：{problem}</translation>
    </message>
    <message>
        <source>Memory planning ends early: {problem}</source>
        <translation>内存规划提前结束：{problem}</translation>
    </message>
    <message>
        <source>Split mode &apos;row&apos; is planned as &apos;layer&apos;: rows of a weight are not divided.</source>
        <translation>切分方式 &apos;row&apos; 按 &apos;layer&apos; 规划：不切分权重的行。</translation>
    </message>
    <message>
        <source>Layers and their shares go to the devices in this order: {devices}.</source>
        <translation>层及其份额按此顺序分配给设备：{devices}。</translation>
    </message>
    <message>
        <source>The graphs are for a single sequence.</source>
        <translation>图是单个序列的图。</translation>
    </message>
    <message>
        <source>Building the one-token graph</source>
        <translation>正在构建一个词元的图</translation>
    </message>
    <message>
        <source>Building the prompt graph</source>
        <translation>正在构建提示的图</translation>
    </message>
    <message>
        <source>Planning placements</source>
        <translation>正在规划放置</translation>
    </message>
    <message>
        <source>install the program again</source>
        <translation>请重新安装程序</translation>
    </message>
    <message>
        <source>there is no device &apos;{name}&apos;</source>
        <translation>没有设备 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a size in GiB</source>
        <translation>&apos;{text}&apos; 不是以 GiB 计的大小</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a preset of a device</source>
        <translation>&apos;{text}&apos; 不是设备预设</translation>
    </message>
    <message>
        <source>for a device of this computer, use --backends {name}</source>
        <translation>对于本机的设备，请使用 --backends {name}</translation>
    </message>
    <message>
        <source>write e.g. rtx-3090:20</source>
        <translation>请写成例如 rtx-3090:20</translation>
    </message>
    <message>
        <source>{name} has only {memory}</source>
        <translation>{name} 只有 {memory}</translation>
    </message>
    <message>
        <source>give at most that, or describe another card in a machine file (--machine)</source>
        <translation>请给出不超过该值的大小，或在机器文件（--machine）中描述另一张卡</translation>
    </message>
    <message>
        <source>{first} and {second} are both CPUs</source>
        <translation>{first} 和 {second} 都是 CPU</translation>
    </message>
    <message>
        <source>name one: a machine has one</source>
        <translation>请只写一个：一台机器只有一个</translation>
    </message>
    <message>
        <source>{count} devices are too many</source>
        <translation>{count} 个设备太多</translation>
    </message>
    <message>
        <source>a machine has at most {limit} besides its CPU</source>
        <translation>一台机器除 CPU 外至多有 {limit} 个</translation>
    </message>
    <message>
        <source>invalid memory margin</source>
        <translation>无效的内存余量</translation>
    </message>
    <message>
        <source>give a percentage from 0 to below 100</source>
        <translation>请给出 0 到 100 以下的百分数</translation>
    </message>
    <message>
        <source>the speed of {device} is not known</source>
        <translation>{device} 的速度未知</translation>
    </message>
    <message>
        <source>{value} is more than {limit}</source>
        <translation>{value} 超过 {limit}</translation>
    </message>
    <message>
        <source>no block has an attention or state cache of a known kind</source>
        <translation>没有块带有已知种类的注意力缓存或状态缓存</translation>
    </message>
    <message>
        <source>the machine has no device &apos;{name}&apos;</source>
        <translation>机器没有设备 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>use the name of one of its backends</source>
        <translation>请使用其后端之一的名称</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is the CPU</source>
        <translation>“{name}”是 CPU</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; is given twice</source>
        <translation>“{name}”重复给出</translation>
    </message>
    <message>
        <source>name each device once; the CPU always takes part</source>
        <translation>每个设备只写一次；CPU 总是参与</translation>
    </message>
    <message>
        <source>choose another way of splitting: programs of this generation need a device</source>
        <translation>请选择另一种划分方式：这一代的程序需要一个设备</translation>
    </message>
    <message>
        <source>{shares} shares are given, but only {devices} can be used</source>
        <translation>给出了 {shares} 个份额，但只能使用 {devices} 个</translation>
    </message>
    <message>
        <source>remove the override rule that places it there, or place it where its operation runs</source>
        <translation>请删除把它放在那里的覆盖规则，或把它放到执行其运算的地方</translation>
    </message>
    <message>
        <source>flash attention runs on the devices, but the caches are in the CPU&apos;s memory</source>
        <translation>Flash 注意力在设备上运行，而缓存在 CPU 的内存中</translation>
    </message>
    <message>
        <source>the caches are in the CPU&apos;s memory, but attention runs on the devices</source>
        <translation>缓存在 CPU 的内存中，但注意力在设备上运行</translation>
    </message>
    <message>
        <source>keep the caches on the devices; without flash attention, the CPU reads the caches in place, which generates faster but reads prompts more slowly</source>
        <translation>请把缓存保留在设备上；不用 flash attention 时 CPU 就地读取缓存，生成更快，但读取提示更慢</translation>
    </message>
    <message>
        <source>choose {name} among the devices of this computer: Machine</source>
        <translation>请在“机器”中从本计算机的设备里选择 {name}</translation>
    </message>
    <message>
        <source>give at most that, or open a machine file that describes another card</source>
        <translation>请给出不超过它的值，或打开描述另一块显卡的机器文件</translation>
    </message>
    <message>
        <source>describe all devices under Machine</source>
        <translation>请在“机器”中描述所有设备</translation>
    </message>
    <message>
        <source>open the downloaded file</source>
        <translation>请打开已下载的文件</translation>
    </message>
    <message>
        <source>there is no device {index} among {count}</source>
        <translation>{count} 个设备中没有设备 {index}</translation>
    </message>
    <message>
        <source>use an index from 0</source>
        <translation>请使用从 0 开始的编号</translation>
    </message>
    <message>
        <source>there is no buffer type &apos;{name}&apos;</source>
        <translation>没有缓冲区类型 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>leave --split-mode out: programs of this generation need a device</source>
        <translation>请去掉 --split-mode：这一代的程序需要设备</translation>
    </message>
    <message>
        <source>the overrides take too long to match</source>
        <translation>匹配这些覆盖规则耗时过长</translation>
    </message>
    <message>
        <source>use simpler or fewer expressions</source>
        <translation>请使用更简单或更少的表达式</translation>
    </message>
    <message>
        <source>&apos;{pattern}&apos; is not a regular expression: {problem}</source>
        <translation>&apos;{pattern}&apos; 不是正则表达式：{problem}</translation>
    </message>
    <message>
        <source>use ECMAScript syntax, without back-references and look-ahead</source>
        <translation>请使用 ECMAScript 语法，不含反向引用和先行断言</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not of the form PATTERN=BUFFER</source>
        <translation>&apos;{text}&apos; 不是 PATTERN=BUFFER</translation>
    </message>
    <message>
        <source>give a regular expression and a buffer type, e.g. &apos;ffn_.*_exps=CPU&apos;</source>
        <translation>请给出正则表达式和缓冲区类型，例如 &apos;ffn_.*_exps=CPU&apos;</translation>
    </message>
    <message>
        <source>a weight of the graph is not in the file</source>
        <translation>图的一个权重不在文件中</translation>
    </message>
    <message>
        <source>a block of the graph has no cache</source>
        <translation>图的一个块没有缓存</translation>
    </message>
    <message>
        <source>block {index}</source>
        <translation>块 {index}</translation>
    </message>
    <message>
        <source>requested by the machine</source>
        <translation>机器要求</translation>
    </message>
    <message>
        <source>only one device</source>
        <translation>只有一个设备</translation>
    </message>
    <message>
        <source>not all layers are on devices</source>
        <translation>并非所有层都在设备上</translation>
    </message>
    <message>
        <source>the split mode is not &apos;layer&apos;</source>
        <translation>划分方式不是按层</translation>
    </message>
    <message>
        <source>caches stay on the CPU</source>
        <translation>缓存在 CPU 上</translation>
    </message>
    <message>
        <source>there are overrides</source>
        <translation>有覆盖规则</translation>
    </message>
    <message>
        <source>{device} has no events</source>
        <translation>{device} 没有事件</translation>
    </message>
    <message>
        <source>{device} cannot compute asynchronously</source>
        <translation>{device} 不能异步计算</translation>
    </message>
    <message>
        <source>all layers are on devices, and several devices are in use</source>
        <translation>所有层都在设备上，且使用了多个设备</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>{file}, line {number}</source>
        <translation>{file}，第 {number} 行</translation>
    </message>
    <message>
        <source>its graph would take more than {limit} MiB of memory</source>
        <translation>它的计算图会占用超过 {limit} MiB 内存</translation>
    </message>
    <message>
        <source>Reading the log</source>
        <translation>正在读取日志</translation>
    </message>
    <message>
        <source>the log lists splits but no nodes</source>
        <translation>日志列出了分段而没有节点</translation>
    </message>
    <message>
        <source>run the program again with GGML_SCHED_DEBUG=2</source>
        <translation>请以 GGML_SCHED_DEBUG=2 重新运行程序</translation>
    </message>
    <message>
        <source>too many nodes are missing to keep the log&apos;s node numbers</source>
        <translation>缺少的节点太多，无法保留日志中的编号</translation>
    </message>
    <message numerus="yes">
        <source>{count} views were connected by their position; the log does not print them</source>
        <translation>
            <numerusform>{count} 个视图按其位置连接；日志没有打印它们</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes are not in the log and nothing is known about them</source>
        <translation>
            <numerusform>{count} 个节点不在日志中，对它们一无所知</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>operation {op} ({count} nodes) is not known</source>
        <translation>
            <numerusform>运算 {op}（{count} 个节点）未知</numerusform>
        </translation>
    </message>
    <message>
        <source>a line of {bytes} bytes was skipped</source>
        <translation>跳过了一行 {bytes} 字节</translation>
    </message>
    <message>
        <source>a damaged scheduler line</source>
        <translation>调度器的一行已损坏</translation>
    </message>
    <message>
        <source>the log ends within this line</source>
        <translation>日志在这一行中结束</translation>
    </message>
    <message>
        <source>not understood: &quot;{text}&quot;</source>
        <translation>无法理解：“{text}”</translation>
    </message>
    <message>
        <source>split {split} states {stated} inputs but lists {listed}</source>
        <translation>分段 {split} 说有 {stated} 个输入，却列出 {listed} 个</translation>
    </message>
    <message>
        <source>a graph starts with split {split}: the splits before it are missing</source>
        <translation>图从分段 {split} 开始：缺少它之前的部分</translation>
    </message>
    <message>
        <source>split {split} follows split {previous}: the splits between them are missing</source>
        <translation>分段 {split} 跟在分段 {previous} 之后：缺少其间的部分</translation>
    </message>
    <message>
        <source>node {node} belongs to no split: the lines before it are missing</source>
        <translation>节点 {node} 不属于任何分段：缺少它之前的部分</translation>
    </message>
    <message>
        <source>node {node} comes after node {previous}</source>
        <translation>节点 {node} 出现在节点 {previous} 之后</translation>
    </message>
    <message>
        <source>Reading the dump</source>
        <translation>正在读取转储</translation>
    </message>
    <message>
        <source>the dump lists no nodes</source>
        <translation>转储中没有节点</translation>
    </message>
    <message>
        <source>write it with ggml_graph_dump_dot</source>
        <translation>请用 ggml_graph_dump_dot 生成</translation>
    </message>
    <message numerus="yes">
        <source>{count} tensors are named only by edges; nothing else is known about them</source>
        <translation>
            <numerusform>{count} 个张量只在边中被提及；对它们别无所知</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} operations are not known</source>
        <translation>
            <numerusform>{count} 个运算未知</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} element types are not known; F32 is assumed</source>
        <translation>
            <numerusform>{count} 个元素类型未知；假定为 F32</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} lines were not understood, the first is line {first}</source>
        <translation>
            <numerusform>{count} 行无法理解，第一处在第 {first} 行</numerusform>
        </translation>
    </message>
    <message>
        <source>a dump has no strides, parameters, flags, buffers or backends; tensors are assumed to be contiguous</source>
        <translation>转储没有步长、参数、标志、缓冲区和后端；假定张量是连续的</translation>
    </message>
    <message>
        <source>record the program again</source>
        <translation>请重新录制程序</translation>
    </message>
    <message>
        <source>the line ends too early</source>
        <translation>该行结束得太早</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>不是数</translation>
    </message>
    <message>
        <source>the number is out of range</source>
        <translation>该数超出范围</translation>
    </message>
    <message>
        <source>a backend appears inside a graph</source>
        <translation>图中出现了后端</translation>
    </message>
    <message>
        <source>there are too many backends</source>
        <translation>后端太多</translation>
    </message>
    <message>
        <source>there are too many graphs</source>
        <translation>图太多</translation>
    </message>
    <message>
        <source>there are too many buffer types</source>
        <translation>缓冲区类型太多</translation>
    </message>
    <message>
        <source>the graph is already closed</source>
        <translation>该图已经结束</translation>
    </message>
    <message>
        <source>more decisions than tensors</source>
        <translation>决策比张量多</translation>
    </message>
    <message>
        <source>a split ends before it begins</source>
        <translation>分段在开始之前结束</translation>
    </message>
    <message>
        <source>element type {type} is not known</source>
        <translation>元素类型 {type} 未知</translation>
    </message>
    <message>
        <source>a tensor is out of range</source>
        <translation>有张量超出范围</translation>
    </message>
    <message>
        <source>operation {op} is not known</source>
        <translation>运算 {op} 未知</translation>
    </message>
    <message>
        <source>the leafs are in the order in which they are read</source>
        <translation>叶的顺序就是它们被读取的顺序</translation>
    </message>
    <message>
        <source>the split boundaries are not known, since the graph was not allocated</source>
        <translation>看不到分段从哪里开始，因为图没有分配内存</translation>
    </message>
    <message>
        <source>no threshold explains which operations {backend} offers to offload</source>
        <translation>没有阈值能解释 {backend} 愿意接手哪些运算</translation>
    </message>
    <message>
        <source>the recording grew too large; the rest is missing</source>
        <translation>录制太大；后面的内容缺失</translation>
    </message>
    <message>
        <source>a graph was left out: {problem}</source>
        <translation>略去了一个图：{problem}</translation>
    </message>
    <message numerus="yes">
        <source>{count} more remarks were left out</source>
        <translation>
            <numerusform>另有 {count} 条说明已略去</numerusform>
        </translation>
    </message>
    <message>
        <source>the library cannot be recorded: {reason}</source>
        <translation>该库无法录制：{reason}</translation>
    </message>
    <message>
        <source>run the program with GGML_SCHED_DEBUG=2 and import its log instead</source>
        <translation>请以 GGML_SCHED_DEBUG=2 运行程序，改为导入其日志</translation>
    </message>
    <message>
        <source>recording ended early: {reason}</source>
        <translation>录制提前结束：{reason}</translation>
    </message>
    <message>
        <source>no computation was seen: the library&apos;s internal calls bypass the recorder, or the program ended before computing</source>
        <translation>没有看到计算：该库的内部调用绕过了记录器，或者程序在计算之前就结束了</translation>
    </message>
    <message>
        <source>weights in source {source}</source>
        <translation>源 {source} 中的权重</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>the tensor it views</source>
        <translation>它所视图的张量</translation>
    </message>
    <message>
        <source>first node that reads it</source>
        <translation>第一个读取它的节点</translation>
    </message>
    <message>
        <source>neighbour</source>
        <translation>相邻节点</translation>
    </message>
    <message>
        <source>original</source>
        <translation>原张量</translation>
    </message>
    <message>
        <source>because of</source>
        <translation>由于</translation>
    </message>
    <message>
        <source>Assigning it, or a backend that runs the operation.</source>
        <translation>手动指定，或有能运行该运算的后端。</translation>
    </message>
    <message>
        <source>Placing the weights {weights} in another backend&apos;s memory (layers on the GPU).</source>
        <translation>将权重 {weights} 放到其他后端的内存中（GPU 上的层）。</translation>
    </message>
    <message>
        <source>A batch below the backend&apos;s offload threshold, or disabling offload.</source>
        <translation>批次低于该后端的卸载阈值，或关闭卸载。</translation>
    </message>
    <message>
        <source>Allocating its memory on another backend.</source>
        <translation>将其内存分配在其他后端上。</translation>
    </message>
    <message>
        <source>Not flagging it as an input: inputs always start on the CPU.</source>
        <translation>不将其标记为输入：输入总是从 CPU 开始。</translation>
    </message>
    <message>
        <source>Removing the user&apos;s assignment.</source>
        <translation>去掉手动指定。</translation>
    </message>
    <message>
        <source>Moving the neighbour it was spread from; the placement follows it.</source>
        <translation>移动扩展到它的相邻节点；放置会随之改变。</translation>
    </message>
    <message>
        <source>More of its sources in memory that another backend can use.</source>
        <translation>让它更多的源位于其他后端可用的内存中。</translation>
    </message>
    <message>
        <source>Moving {tensor}: the placement follows it.</source>
        <translation>移动 {tensor}：放置会随之改变。</translation>
    </message>
    <message>
        <source>Running it on {device}, which currently {refusal}.</source>
        <translation>由 {device} 接手：目前它{refusal}。</translation>
    </message>
    <message>
        <source>was not considered: {cause}</source>
        <translation>没有被询问：{cause}</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>Laying out</source>
        <translation>正在布局</translation>
    </message>
    <message>
        <source>Drawing the image</source>
        <translation>正在绘制图像</translation>
    </message>
    <message>
        <source>Reading the rows</source>
        <translation>正在读取各行</translation>
    </message>
    <message>
        <source>the table changed while it was being saved</source>
        <translation>保存期间表格已改变</translation>
    </message>
    <message>
        <source>save it again</source>
        <translation>请重新保存</translation>
    </message>
    <message>
        <source>Laying out with Graphviz</source>
        <translation>正在用 Graphviz 布局</translation>
    </message>
    <message>
        <source>Reading the values</source>
        <translation>正在读取值</translation>
    </message>
    <message>
        <source>Collecting</source>
        <translation>正在收集</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>Looking for devices</source>
        <translation>正在查找设备</translation>
    </message>
    <message>
        <source>cannot start a thread</source>
        <translation>无法启动线程</translation>
    </message>
    <message>
        <source>close other programs</source>
        <translation>请关闭其他程序</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Schedule by pass</source>
        <translation>各轮的调度</translation>
    </message>
    <message>
        <source>Splits and copies</source>
        <translation>分段和复制</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>如何得出</translation>
    </message>
    <message>
        <source>there is no table &apos;{name}&apos;</source>
        <translation>没有表 &apos;{name}&apos;</translation>
    </message>
    <message>
        <source>there is no timeline without a run</source>
        <translation>没有运行就没有时间线</translation>
    </message>
    <message>
        <source>the engine&apos;s process cannot be started: {reason}</source>
        <translation>无法启动引擎进程：{reason}</translation>
    </message>
    <message>
        <source>the program splitscope is neither beside this program nor in PATH</source>
        <translation>程序 splitscope 既不在此处，也不在 PATH 中</translation>
    </message>
    <message>
        <source>install it beside this program, or in a folder of PATH</source>
        <translation>请把它安装在此程序旁边，或 PATH 中的文件夹</translation>
    </message>
    <message>
        <source>the engine&apos;s process has ended: {how}</source>
        <translation>引擎进程已结束：{how}</translation>
    </message>
    <message>
        <source>the engine&apos;s process did not answer for {seconds} seconds and was killed: {how}</source>
        <translation>引擎进程 {seconds} 秒没有应答，已被终止：{how}</translation>
    </message>
    <message>
        <source>the engine&apos;s process did not stop and was killed: {how}</source>
        <translation>引擎进程没有停止，已被终止：{how}</translation>
    </message>
    <message>
        <source>signal {number}</source>
        <translation>信号 {number}</translation>
    </message>
    <message>
        <source>signal {number}, last output: {words}</source>
        <translation>信号 {number}，最后的输出：{words}</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>exit code {code}, last output: {words}</source>
        <translation>退出码 {code}，最后的输出：{words}</translation>
    </message>
    <message>
        <source>try again: the process is restarted</source>
        <translation>请重复该操作：进程会重新启动</translation>
    </message>
    <message>
        <source>the engine&apos;s process sent a malformed answer</source>
        <translation>引擎进程发来了格式错误的应答</translation>
    </message>
    <message>
        <source>the engine refused: {reason}</source>
        <translation>引擎拒绝了：{reason}</translation>
    </message>
    <message>
        <source>{function} failed</source>
        <translation>{function} 失败</translation>
    </message>
    <message>
        <source>it has no function {name}</source>
        <translation>它没有函数 {name}</translation>
    </message>
    <message>
        <source>it has no element type {type}</source>
        <translation>它没有元素类型 {type}</translation>
    </message>
    <message>
        <source>the layout of its tensors is not known</source>
        <translation>其张量的布局未知</translation>
    </message>
    <message>
        <source>its graph has the nodes in another order</source>
        <translation>其图中节点的顺序不同</translation>
    </message>
    <message>
        <source>the engine is out of memory</source>
        <translation>没有剩余内存</translation>
    </message>
    <message>
        <source>it was built without RPC (GGML_RPC)</source>
        <translation>它构建时未启用 RPC（GGML_RPC）</translation>
    </message>
    <message>
        <source>its RPC version does not support servers with several devices</source>
        <translation>它的 RPC 版本过旧，不支持有多个设备的服务器</translation>
    </message>
    <message>
        <source>no server of the engine&apos;s version answers at {server}</source>
        <translation>{server} 处没有与其版本相同的服务器应答</translation>
    </message>
    <message>
        <source>the device cannot use the host&apos;s memory</source>
        <translation>该设备无法使用主机内存</translation>
    </message>
    <message>
        <source>the device has no events</source>
        <translation>该设备没有事件</translation>
    </message>
    <message>
        <source>the last backend is not a CPU</source>
        <translation>最后一个后端不是 CPU</translation>
    </message>
    <message>
        <source>another version of splitscope was installed meanwhile</source>
        <translation>在此期间安装了另一个版本的 splitscope</translation>
    </message>
    <message>
        <source>invalid request: {field}</source>
        <translation>无效请求：{field}</translation>
    </message>
    <message>
        <source>the library lacks the functions {names}</source>
        <translation>该库缺少函数 {names}</translation>
    </message>
    <message>
        <source>the layout of tensors is not known: their name is at byte {offset}</source>
        <translation>张量的布局未知：其名称位于第 {offset} 字节</translation>
    </message>
    <message>
        <source>a scheduler has no buffer types</source>
        <translation>某个调度器没有缓冲区类型</translation>
    </message>
    <message>
        <source>more than {limit} distinct graphs</source>
        <translation>超过 {limit} 个不同的图</translation>
    </message>
    <message>
        <source>start rpc-server of the same version of llama.cpp there</source>
        <translation>请在那里启动同一版本 llama.cpp 的 rpc-server</translation>
    </message>
    <message>
        <source>use another build of the engine</source>
        <translation>请使用引擎的另一个构建</translation>
    </message>
    <message>
        <source>no engine was given</source>
        <translation>没有指定引擎</translation>
    </message>
    <message>
        <source>give the folder of its libraries with --engine FOLDER</source>
        <translation>请用 --engine FOLDER 指定其库所在的文件夹</translation>
    </message>
    <message>
        <source>give the folder of its libraries with --engine, e.g. {folder}</source>
        <translation>请用 --engine 指定其库所在的文件夹，例如 {folder}</translation>
    </message>
    <message>
        <source>the folder contains no shared ggml libraries</source>
        <translation>该文件夹中没有 ggml 的共享库</translation>
    </message>
    <message>
        <source>give the folder that contains libggml.so, such as build/bin of a build with shared libraries</source>
        <translation>请指定含有 libggml.so 的文件夹，例如共享库构建的 build/bin</translation>
    </message>
    <message>
        <source>it has no devices: the libraries of its backends (libggml-cpu…) are missing there</source>
        <translation>没有设备：其中缺少后端的库（libggml-cpu…）</translation>
    </message>
    <message>
        <source>the engine did not load it: {reason}</source>
        <translation>引擎没有加载它：{reason}</translation>
    </message>
    <message>
        <source>ggml does not search for a library of this name; to load it, set GGML_BACKEND_PATH={file}</source>
        <translation>引擎不会查找这个名称；要加载它，请设置 GGML_BACKEND_PATH={file}</translation>
    </message>
    <message>
        <source>the libraries in {folder} are loaded only once you give the folder with --engine</source>
        <translation>只有用 --engine 指定该文件夹后，才会加载 {folder} 中的库</translation>
    </message>
    <message>
        <source>its engine is missing: {folder} contains no shared ggml libraries</source>
        <translation>其引擎不存在：{folder} 中没有 ggml 的共享库</translation>
    </message>
    <message>
        <source>restore the engine there, or use devices of another one</source>
        <translation>请在那里恢复该引擎，或使用其他引擎的设备</translation>
    </message>
    <message>
        <source>{library} is truncated: it has {size} of at least {least}</source>
        <translation>{library} 不完整：只有 {size}，至少应有 {least}</translation>
    </message>
    <message>
        <source>install or build the engine again</source>
        <translation>请重新安装或构建该引擎</translation>
    </message>
    <message>
        <source>{library} is built for {theirs}; this computer is {ours}</source>
        <translation>{library} 是为 {theirs} 构建的，而本机是 {ours}</translation>
    </message>
    <message>
        <source>use a build for this computer</source>
        <translation>请使用为本机构建的版本</translation>
    </message>
    <message>
        <source>the engine has no device &apos;{name}&apos;</source>
        <translation>引擎没有设备“{name}”</translation>
    </message>
    <message>
        <source>it has: {names}</source>
        <translation>它有：{names}</translation>
    </message>
    <message>
        <source>Engine folder</source>
        <translation>引擎文件夹</translation>
    </message>
    <message>
        <source>Folder of your own build of ggml, whose libraries are loaded; its devices are named engine:NAME</source>
        <translation>您自己的 ggml 库所在的文件夹，这些库会被加载：其设备名为 engine:NAME</translation>
    </message>
    <message>
        <source>it is loaded only once you give its folder with --engine</source>
        <translation>只有用 --engine 指定其文件夹后才会加载</translation>
    </message>
    <message>
        <source>{build}, {folder}</source>
        <translation>{build}，{folder}</translation>
    </message>
    <message>
        <source>{free} of {total} free</source>
        <translation>{free} 可用，共 {total}</translation>
    </message>
    <message>
        <source>buffer type {name}, alignment {alignment}</source>
        <translation>缓冲区类型 {name}，对齐 {alignment}</translation>
    </message>
    <message>
        <source>put it after &apos;--&apos;: splitscope attach -- PROGRAM ARGS</source>
        <translation>请将其写在两个短横之后：splitscope attach -- PROGRAM ARGS</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not of the form CONDITION=FILE.npy</source>
        <translation>“{text}”不是 CONDITION=FILE.npy</translation>
    </message>
    <message>
        <source>give a node and a file, e.g. l_out-2,graph=3=l_out-2.npy</source>
        <translation>请给出节点和文件，例如 l_out-2,graph=3=l_out-2.npy</translation>
    </message>
    <message>
        <source>no such node was computed</source>
        <translation>没有计算过此节点</translation>
    </message>
    <message>
        <source>the speed of the devices is not known: &apos;splitscope calibrate&apos; measures it</source>
        <translation>设备的速度未知：splitscope calibrate 可以测量</translation>
    </message>
    <message>
        <source>measure it with &apos;splitscope calibrate&apos;</source>
        <translation>请用 splitscope calibrate 测量</translation>
    </message>
    <message>
        <source>give a program of your llama.cpp build, e.g. --program ~/llama.cpp/build/bin/llama-fit-params</source>
        <translation>请指定您的 llama.cpp 的程序，例如 --program ~/llama.cpp/build/bin/llama-fit-params</translation>
    </message>
    <message>
        <source>list the nodes with: splitscope attach --profile -- PROGRAM</source>
        <translation>可用 splitscope attach --profile -- PROGRAM 列出节点</translation>
    </message>
    <message>
        <source>no node could be compared</source>
        <translation>没有可以比较的节点</translation>
    </message>
    <message>
        <source>Splitscope&apos;s kernel ended with &apos;{status}&apos;</source>
        <translation>我们的内核以“{status}”结束</translation>
    </message>
    <message>
        <source>place fewer layers there, or search for the best placement</source>
        <translation>在那里放置更少的层，或搜索最佳放置</translation>
    </message>
    <message>
        <source>lower the micro-batch (-ub), since the compute buffer grows with it, or search for the best placement</source>
        <translation>减小微批次（-ub），因为计算缓冲区随之增大；或搜索最佳放置</translation>
    </message>
    <message>
        <source>lower the context (-c), use smaller cache types, or search for the best placement</source>
        <translation>减小上下文（-c），使用更小的缓存类型，或搜索最佳放置</translation>
    </message>
    <message>
        <source>compare it with the names of the file&apos;s tensors</source>
        <translation>与文件中张量的名称比较</translation>
    </message>
    <message>
        <source>choose devices whose figures are known, such as presets</source>
        <translation>选择数据已知的设备，例如预设</translation>
    </message>
    <message>
        <source>&apos;this&apos; already includes all devices of this computer</source>
        <translation>this 已包含本机的所有设备</translation>
    </message>
    <message>
        <source>leave the other devices out</source>
        <translation>去掉其他设备</translation>
    </message>
    <message>
        <source>open a recording of a program that runs it</source>
        <translation>打开运行它的程序的记录</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a valid value</source>
        <translation>“{text}”不是有效的值</translation>
    </message>
    <message>
        <source>generation {generation} does not have it</source>
        <translation>{generation} 的程序没有它</translation>
    </message>
    <message>
        <source>both a machine file and devices of this computer were given</source>
        <translation>同时给出了机器文件和本机设备</translation>
    </message>
    <message>
        <source>the machine has no device of {value}</source>
        <translation>机器中没有 {value} 的设备</translation>
    </message>
    <message>
        <source>leave the setting out, or name its devices</source>
        <translation>请去掉该设置，或指定其设备</translation>
    </message>
    <message>
        <source>leave it out, or give its devices with --backends</source>
        <translation>请去掉它，或用 --backends 指定其设备</translation>
    </message>
    <message numerus="yes">
        <source>two devices are compared, or two generations; {count} devices were given</source>
        <translation>
            <numerusform>比较的是两个设备或两个世代；给出了 {count} 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>give two devices with --backends, or two generations</source>
        <translation>请用 --backends 指定两个设备，或指定两个世代</translation>
    </message>
    <message>
        <source>both two builds and generations were given</source>
        <translation>同时给出了两个构建和世代</translation>
    </message>
    <message>
        <source>compare either two builds or two generations</source>
        <translation>请比较两个构建或两个世代之一</translation>
    </message>
    <message>
        <source>two builds are compared on their own devices</source>
        <translation>两个构建在各自的设备上比较</translation>
    </message>
    <message>
        <source>leave it out, or choose devices with --backends</source>
        <translation>省略它，或用 --backends 选择设备</translation>
    </message>
    <message>
        <source>only one build was given, and there is nothing to compare it with</source>
        <translation>只指定了一个构建，没有可与之比较的构建</translation>
    </message>
    <message>
        <source>give --engine twice, or two devices with --backends</source>
        <translation>请给出两次 --engine，或用 --backends 指定两个设备</translation>
    </message>
    <message>
        <source>the two builds have no such device in common</source>
        <translation>两个构建中没有共同的此类设备</translation>
    </message>
    <message>
        <source>Load the ggml libraries in {folder}? They run with your permissions.</source>
        <translation>加载 {folder} 中的 ggml 库？它们将以您的权限运行。</translation>
    </message>
    <message>
        <source>Load the ggml libraries in this folder? They run with your permissions.</source>
        <translation>加载此文件夹中的 ggml 库？它们将以您的权限运行。</translation>
    </message>
    <message>
        <source>RPC servers</source>
        <translation>RPC 服务器</translation>
    </message>
    <message>
        <source>Addresses of rpc-server processes, as HOST:PORT separated by commas; their devices are added to the engine&apos;s</source>
        <translation>rpc-server 进程的地址，写成 HOST:PORT，用逗号分隔；它们的设备会加到引擎的设备中</translation>
    </message>
    <message>
        <source>RPC servers are used through an engine, and none was given</source>
        <translation>服务器要通过引擎访问，但没有指定引擎</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not of the form HOST:PORT</source>
        <translation>“{text}”不是 HOST:PORT</translation>
    </message>
    <message>
        <source>give servers as HOST:PORT, separated by commas</source>
        <translation>请用 HOST:PORT 指定服务器，以逗号分隔</translation>
    </message>
    <message>
        <source>the server {server} is given twice</source>
        <translation>服务器 {server} 被指定了两次</translation>
    </message>
    <message>
        <source>{first} and {second} are the same server</source>
        <translation>{first} 和 {second} 是同一台服务器</translation>
    </message>
    <message>
        <source>give each server once: it serves one connection at a time</source>
        <translation>每台服务器只指定一次：它一次只服务一个连接</translation>
    </message>
    <message>
        <source>{server} is not an rpc-server of the engine&apos;s version; {end}</source>
        <translation>在 {server} 应答的不是与引擎版本相同的 rpc-server；{end}</translation>
    </message>
    <message>
        <source>{end}; its servers: {servers}</source>
        <translation>{end}；其服务器：{servers}</translation>
    </message>
    <message>
        <source>the server {server} no longer answers; {end}</source>
        <translation>服务器 {server} 不再应答；{end}</translation>
    </message>
    <message>
        <source>the server {server} did not answer within {seconds} s</source>
        <translation>服务器 {server} 在 {seconds} 秒内没有应答</translation>
    </message>
    <message>
        <source>restart it, end the program that it serves, or wait longer with SPLITSCOPE_RPC_TIMEOUT=SECONDS</source>
        <translation>请重新启动它，或结束它正在服务的程序，或用 SPLITSCOPE_RPC_TIMEOUT=SECONDS 延长等待时间</translation>
    </message>
    <message>
        <source>on the server {server}, whose supported operations are not queried: the engine assigns it every operation</source>
        <translation>位于服务器 {server}，不会询问它能计算什么：引擎替它接受所有运算</translation>
    </message>
    <message>
        <source>calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>products and copies of {device}</source>
        <translation>{device} 的乘积和复制</translation>
    </message>
    <message>
        <source>a decode on {device}</source>
        <translation>在 {device} 上解码</translation>
    </message>
    <message>
        <source>the device is only described, so it cannot be measured</source>
        <translation>该设备只有描述：无法在此测量</translation>
    </message>
    <message>
        <source>give devices of this computer with --backends</source>
        <translation>请用 --backends 指定本机的设备</translation>
    </message>
    <message>
        <source>it did not compute the products</source>
        <translation>它没有算出乘积</translation>
    </message>
    <message>
        <source>measure only the other devices</source>
        <translation>请只测量其他设备</translation>
    </message>
    <message>
        <source>it works in the CPU&apos;s memory, so no model is entirely on it</source>
        <translation>它在 CPU 的内存中工作：没有模型能完全放在它上面</translation>
    </message>
    <message>
        <source>RPC accepts every operation without asking the server; only a run shows whether the server supports it.</source>
        <translation>RPC 不询问服务器就接受所有运算：服务器能否计算要到运行时才知道。</translation>
    </message>
    <message>
        <source>write graph=N, split=N, hits=N or outside=LOW..HIGH</source>
        <translation>写 graph=N、split=N、hits=N 或 outside=LOW..HIGH</translation>
    </message>
    <message>
        <source>invalid restriction &apos;{text}&apos;</source>
        <translation>“{text}”不是限定条件</translation>
    </message>
    <message>
        <source>offloads products of {tokens} tokens or more</source>
        <translation>接管 {tokens} 个及以上词元的乘积</translation>
    </message>
    <message>
        <source>write NAME, a pattern such as &apos;l_out-*&apos;, op=OP, backend=NAME or not-finite, then, after commas, graph=N, tokens=N, split=N, hits=N or outside=LOW..HIGH</source>
        <translation>写 NAME、'l_out-*' 之类的模式、op=OP、backend=NAME 或 not-finite，其后以逗号分隔 graph=N、tokens=N、split=N、hits=N 或 outside=LOW..HIGH</translation>
    </message>
    <message>
        <source>express the placement as a division of layers (--tensor-split, --gpu-layers) if prompt speed matters</source>
        <translation>如果提示速度重要，请以层的划分来表达放置（--tensor-split、--gpu-layers）</translation>
    </message>
    <message>
        <source>let flash attention be automatic (--flash-attention auto), or use cache types such as f16 or q8_0</source>
        <translation>让 Flash 注意力自动选择（--flash-attention auto），或使用 f16、q8_0 等缓存类型</translation>
    </message>
    <message>
        <source>lower the micro-batch (--ubatch) or the context (--context)</source>
        <translation>减小微批次（--ubatch）或上下文（--context）</translation>
    </message>
    <message>
        <source>turn op offload off (--no-op-offload), or use larger micro-batches</source>
        <translation>关闭运算卸载（--no-op-offload），或使用更大的微批次</translation>
    </message>
    <message>
        <source>use larger micro-batches (-ub {micro_batch} -b {batch}): prompts are then read at an estimated {rate} instead of {before} tokens/s</source>
        <translation>使用更大的微批次（-ub {micro_batch} -b {batch}）：估计提示的读取速度变为 {rate} 词元/秒，原为 {before}</translation>
    </message>
    <message>
        <source>turn op offload off (--no-op-offload): prompts are then read at an estimated {rate} instead of {before} tokens/s</source>
        <translation>关闭运算卸载（--no-op-offload）：估计提示的读取速度变为 {rate} 词元/秒，原为 {before}</translation>
    </message>
    <message>
        <source>nothing: neither larger micro-batches that fit nor turning op offload off is estimated to be noticeably faster</source>
        <translation>无需更改：估计放得下的更大微批次和关闭运算卸载都不会明显更快</translation>
    </message>
    <message>
        <source>choose a machine, or state the memory of its devices</source>
        <translation>选择一台机器，或给出其设备的内存</translation>
    </message>
    <message numerus="yes">
        <source>Wrote {file}: {count} backends changed</source>
        <translation>
            <numerusform>已写出 {file}：{count} 个后端有所改变</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} more remarks</source>
        <translation>
            <numerusform>另有 {count} 条备注</numerusform>
        </translation>
    </message>
    <message>
        <source> </source>
        <translation> </translation>
    </message>
    <message>
        <source>{verdict}. No placement was searched for; only weights and caches are known.</source>
        <translation>{verdict}。没有搜索放置；权重和缓存仍然已知。</translation>
    </message>
    <message numerus="yes">
        <source>{count} layers on devices</source>
        <translation>
            <numerusform>{count} 层在设备上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} layers on devices ({division})</source>
        <translation>
            <numerusform>{count} 层在设备上（{division}）</numerusform>
        </translation>
    </message>
    <message>
        <source>{layers} on {device}</source>
        <translation>{device} 上 {layers} 层</translation>
    </message>
    <message numerus="yes">
        <source>experts of the first {count} blocks on the CPU</source>
        <translation>
            <numerusform>前 {count} 个块的专家在 CPU 上</numerusform>
        </translation>
    </message>
    <message>
        <source>caches on the CPU</source>
        <translation>缓存在 CPU 上</translation>
    </message>
    <message>
        <source>op offload off</source>
        <translation>关闭运算卸载</translation>
    </message>
    <message>
        <source>{placement}: it fits.</source>
        <translation>{placement}：放得下。</translation>
    </message>
    <message>
        <source>{placement}: as many whole layers as fit.</source>
        <translation>{placement}：放下尽可能多的整层。</translation>
    </message>
    <message>
        <source>No speed is estimated: in a model this small, launching operations takes longer than computing them.</source>
        <translation>不估算速度：对于这么小的模型，启动运算比计算更耗时。</translation>
    </message>
    <message>
        <source>No number of whole layers fits. This does, at an estimated {rate} tokens/s: {placement}.</source>
        <translation>任何数量的整层都放不下。以下放置可以，估计 {rate} 词元/秒：{placement}。</translation>
    </message>
    <message>
        <source>As many whole layers as fit ({layers}) are the best placement found, at an estimated {rate} tokens/s.</source>
        <translation>放下尽可能多的整层（{layers}）是找到的最佳放置，估计 {rate} 词元/秒。</translation>
    </message>
    <message>
        <source>{placement}: an estimated {rate} tokens/s instead of {before} with as many whole layers as fit ({layers}).</source>
        <translation>{placement}：估计 {rate} 词元/秒，放下尽可能多的整层（{layers}）时为 {before}。</translation>
    </message>
    <message>
        <source>{placement}: prompts are read at an estimated {rate} tokens/s instead of {before} with as many whole layers as fit ({layers}).</source>
        <translation>{placement}：提示的读取速度估计为 {rate} 词元/秒，放下尽可能多的整层（{layers}）时为 {before}。</translation>
    </message>
    <message>
        <source>{placement}: an estimated {rate} tokens/s, the same as with as many whole layers as fit ({layers}).</source>
        <translation>{placement}：估计 {rate} 词元/秒，与放下尽可能多的整层（{layers}）时相同。</translation>
    </message>
    <message>
        <source>This is {percent} % faster.</source>
        <translation>快 {percent} %。</translation>
    </message>
    <message>
        <source>This is {times} times as fast.</source>
        <translation>速度是其 {times} 倍。</translation>
    </message>
    <message>
        <source>Prompts are read at {rate} instead of {before} tokens/s.</source>
        <translation>提示的读取速度为 {rate} 词元/秒，原为 {before}。</translation>
    </message>
    <message>
        <source>Tokens are generated at {rate} tokens/s with either.</source>
        <translation>两者的生成速度均为 {rate} 词元/秒。</translation>
    </message>
    <message>
        <source>Per token, {times}.</source>
        <translation>每个词元：{times}。</translation>
    </message>
    <message>
        <source>{device} computes for {time} instead of {before}</source>
        <translation>{device} 计算 {time}，原为 {before}</translation>
    </message>
    <message>
        <source>copies take {time} instead of {before}</source>
        <translation>复制用时 {time}，原为 {before}</translation>
    </message>
    <message>
        <source>Nothing fits: even the lightest placement lacks {bytes} of memory. Lower --context, use smaller cache types, or use a smaller model.</source>
        <translation>都放不下：即使最轻的放置也缺少 {bytes} 内存。请减小 --context，使用更小的缓存类型或更小的模型。</translation>
    </message>
    <message>
        <source>Nothing fits: weights and caches do, but not with their compute buffers. Lower --ubatch or --context.</source>
        <translation>都放不下：权重和缓存放得下，但加上计算缓冲区就不行。请减小 --ubatch 或 --context。</translation>
    </message>
    <message>
        <source>For the number of blocks with experts on the CPU, only one value in {step} was tried; a better one may exist.</source>
        <translation>对于专家在 CPU 上的块数，每 {step} 个只尝试了一个；可能还有更好的。</translation>
    </message>
    <message>
        <source>The search ended after planning {planned} of {choices} placements; a better one may exist.</source>
        <translation>搜索在规划了 {choices} 种放置中的 {planned} 种后结束；可能还有更好的。</translation>
    </message>
    <message>
        <source>Only divisions that fill one device after another, and their neighbours, were tried; a better one may exist.</source>
        <translation>只尝试了依次填满各设备的划分及其相邻划分；可能还有更好的。</translation>
    </message>
    <message>
        <source>memory at {bandwidth} %, matrix units at {flops} % and links at {link} % of their published rates; {operation} µs per operation on a device, {split} µs per split; splits run one after another</source>
        <translation>内存按公布速率的 {bandwidth} %，矩阵单元按 {flops} %，链路按 {link} %；设备上每个运算 {operation} 微秒，每个分段 {split} 微秒；各分段依次运行</translation>
    </message>
    <message>
        <source>rates measured by &apos;calibrate&apos; ({devices}); {split} µs per split; splits run one after another</source>
        <translation>由 calibrate 测得的速率（{devices}）；每个分段 {split} 微秒；各分段依次运行</translation>
    </message>
    <message>
        <source>rates measured by &apos;calibrate&apos; for {devices}; for the others {published}</source>
        <translation>{devices} 使用 calibrate 测得的速率；其他设备：{published}</translation>
    </message>
    <message>
        <source>weights {weights}, caches {caches}, compute buffer {compute} on a device with {memory}</source>
        <translation>权重 {weights}，缓存 {caches}，计算缓冲区 {compute}，设备内存 {memory}</translation>
    </message>
    <message>
        <source>place fewer layers there, shorten the context, or use a smaller cache type</source>
        <translation>在那里放置更少的层，缩短上下文，或使用更小的缓存类型</translation>
    </message>
    <message>
        <source>assign some of its nodes to another backend</source>
        <translation>将其部分节点分配给另一个后端</translation>
    </message>
    <message>
        <source>{bytes} of {device} are free</source>
        <translation>{device} 有 {bytes} 空闲</translation>
    </message>
    <message>
        <source>{left} of {all} layers are on the CPU; a layer takes about {bytes}</source>
        <translation>{all} 层中有 {left} 层在 CPU 上；每层约占 {bytes}</translation>
    </message>
    <message>
        <source>place more layers there; &apos;splitscope suggest&apos;, or a report with --suggest, searches for the fastest placement that fits</source>
        <translation>在那里放置更多的层；splitscope suggest 或带 --suggest 的报告会搜索放得下的最快放置</translation>
    </message>
    <message>
        <source>Nothing fits these devices</source>
        <translation>这些设备都放不下</translation>
    </message>
    <message>
        <source>use devices with more memory</source>
        <translation>使用内存更大的设备</translation>
    </message>
    <message>
        <source>Another placement fits</source>
        <translation>另一种放置放得下</translation>
    </message>
    <message>
        <source>Another placement is estimated to be faster</source>
        <translation>估计另一种放置更快</translation>
    </message>
    <message>
        <source>it generates {rate} instead of {before} tokens/s and reads prompts at {prompt} instead of {prompt_before}</source>
        <translation>生成速度为 {rate} 词元/秒（原为 {before}），读取提示的速度为 {prompt}（原为 {prompt_before}）</translation>
    </message>
    <message>
        <source>Another placement keeps {margin} % of each device&apos;s memory free</source>
        <translation>另一种放置可为每个设备保留 {margin} % 的空闲内存</translation>
    </message>
    <message>
        <source>it is estimated to generate {rate} tokens/s and to read prompts at {prompt}</source>
        <translation>估计生成速度为 {rate} 词元/秒，读取提示的速度为 {prompt}</translation>
    </message>
    <message>
        <source>{device} then uses {bytes}</source>
        <translation>{device} 届时使用 {bytes}</translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes of {operation} on the CPU</source>
        <translation>
            <numerusform>{count} 个 {operation} 节点在 CPU 上</numerusform>
        </translation>
    </message>
    <message>
        <source>use an element type and shape that the device supports, or a driver that supports these</source>
        <translation>使用设备支持的其他元素类型或形状，或使用支持它们的驱动程序</translation>
    </message>
    <message>
        <source>{bytes} of weights and caches are copied per run</source>
        <translation>每次运行复制 {bytes} 权重和缓存</translation>
    </message>
    <message numerus="yes">
        <source>{count} tensors that no split computes, the largest {largest}</source>
        <translation>
            <numerusform>{count} 个张量不由任何分段计算，最大的是 {largest}</numerusform>
        </translation>
    </message>
    <message>
        <source>place more layers on the device that reads them, or disable op offload</source>
        <translation>在读取它们的设备上放置更多的层，或禁用运算卸载</translation>
    </message>
    <message>
        <source>place more layers on the device that reads them</source>
        <translation>在读取它们的设备上放置更多的层</translation>
    </message>
    <message>
        <source>place them where they are read, or compute where they are</source>
        <translation>将它们放在读取它们的位置，或在它们所在的位置计算</translation>
    </message>
    <message numerus="yes">
        <source>{count} splits of at most {nodes} nodes interrupt {backend}</source>
        <translation>
            <numerusform>{count} 个不超过 {nodes} 个节点的分段打断了 {backend}</numerusform>
        </translation>
    </message>
    <message>
        <source>the first is split {split} ({node}), on {backend}; around all of them {bytes} are copied per run</source>
        <translation>第一个是分段 {split}（{node}），在 {backend} 上；它们周围每次运行共复制 {bytes}</translation>
    </message>
    <message>
        <source>assign these nodes to {backend}, if it can run them</source>
        <translation>如果 {backend} 能运行这些节点，就将它们分配给它</translation>
    </message>
    <message numerus="yes">
        <source>{count} nodes</source>
        <translation>
            <numerusform>{count} 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} splits</source>
        <translation>
            <numerusform>{count} 个分段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} inputs</source>
        <translation>
            <numerusform>{count} 个输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} copies</source>
        <translation>
            <numerusform>{count} 次复制</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} tokens</source>
        <translation>
            <numerusform>{count} 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} decisions, {changes} changed a backend</source>
        <translation>
            <numerusform>{count} 个决策，{changes} 个更改了后端</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Wrote {count} graphs of {program} (library {library}) to {file}</source>
        <translation>
            <numerusform>{program}（库 {library}）的 {count} 个图保存在 {file} 中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Wrote {count} distinct graphs of {program} (library {library}) to {file}</source>
        <translation>
            <numerusform>{program}（库 {library}）的 {count} 个不同的图保存在 {file} 中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} tensors</source>
        <translation>
            <numerusform>{count} 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>the header is damaged: there is no GGUF version {version}</source>
        <translation>文件头已损坏：不存在 GGUF 版本 {version}</translation>
    </message>
    <message>
        <source>download or convert it again</source>
        <translation>请重新下载或转换</translation>
    </message>
    <message>
        <source>lower the micro-batch, since the compute buffer grows with it, or search for the best placement</source>
        <translation>请减小微批次（计算缓冲区随之增长），或搜索最佳放置</translation>
    </message>
    <message>
        <source>lower the context, use smaller cache types, or search for the best placement</source>
        <translation>请减小上下文，使用更小的缓存类型，或搜索最佳放置</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Cached values</source>
        <translation>缓存的值</translation>
    </message>
    <message>
        <source>CPU experts</source>
        <translation>CPU 专家</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Main device</source>
        <translation>主设备</translation>
    </message>
    <message>
        <source>Override rules</source>
        <translation>覆盖规则</translation>
    </message>
    <message>
        <source>there is no such switch</source>
        <translation>没有这个开关</translation>
    </message>
    <message>
        <source>did you mean {name}?</source>
        <translation>您是指 {name} 吗？</translation>
    </message>
    <message>
        <source>check the spelling</source>
        <translation>请检查拼写</translation>
    </message>
    <message>
        <source>it changes the graph, and such graphs cannot be planned</source>
        <translation>它会改变图，而带有它的图不作规划</translation>
    </message>
    <message>
        <source>leave it out; the figures are then those of generating text</source>
        <translation>请去掉它；数字即为生成文本时的数字</translation>
    </message>
    <message>
        <source>draft models of this kind are not planned</source>
        <translation>这类草稿模型不作规划</translation>
    </message>
    <message>
        <source>leave it out; the figures are then those of the model alone</source>
        <translation>请去掉它；数字即为模型自身的数字</translation>
    </message>
    <message>
        <source>it changes the model&apos;s metadata</source>
        <translation>它会改变模型的元数据</translation>
    </message>
    <message>
        <source>leave it out, or plan a file that has these values</source>
        <translation>请去掉它，或规划含有这些值的文件</translation>
    </message>
    <message>
        <source>it adds devices of other computers</source>
        <translation>它会加入其他计算机的设备</translation>
    </message>
    <message>
        <source>describe all devices in a machine file (--machine)</source>
        <translation>请在机器文件中描述所有设备（--machine）</translation>
    </message>
    <message>
        <source>it names a file to download</source>
        <translation>它指定要下载的文件</translation>
    </message>
    <message>
        <source>give the downloaded file with -m, --mmproj or -md</source>
        <translation>请用 -m、--mmproj 或 -md 给出下载好的文件</translation>
    </message>
    <message>
        <source>give a number, &apos;auto&apos;, &apos;all&apos; or &apos;half&apos;</source>
        <translation>请给出一个数、“auto”、“all”或“half”</translation>
    </message>
    <message>
        <source>{bytes} of weights are copied from a device for each graph of {graph}</source>
        <translation>{graph}的每张图都从设备复制 {bytes} 权重</translation>
    </message>
    <message>
        <source>{weight} lies in &apos;{buffer}&apos;, but {device} computes with it</source>
        <translation>{weight} 位于“{buffer}”，但由 {device} 用它计算</translation>
    </message>
    <message>
        <source>remove the override that places it there (--override-tensor), or place it where its operation runs</source>
        <translation>去掉把它放在那里的覆盖规则（--override-tensor），或把它放在其运算执行的地方</translation>
    </message>
    <message>
        <source>{bytes} of caches are copied between host and device for each graph of {graph}</source>
        <translation>{graph}的每张图都有 {bytes} 缓存经过链路</translation>
    </message>
    <message>
        <source>flash attention runs on the devices, but the caches are in the CPU&apos;s memory (--no-kv-offload)</source>
        <translation>Flash 注意力在设备上运行，而缓存在 CPU 的内存中（--no-kv-offload）</translation>
    </message>
    <message>
        <source>op offload moves flash attention of layers on the CPU to the devices, but the caches of these layers are in the CPU&apos;s memory</source>
        <translation>运算卸载把 CPU 上各层的 Flash 注意力移到设备上，但这些层的缓存在 CPU 的内存中</translation>
    </message>
    <message>
        <source>weights of layers on the CPU are on the devices (--override-tensor), which therefore compute flash attention, but the caches of these layers are in the CPU&apos;s memory</source>
        <translation>CPU 上各层的权重在设备上（--override-tensor），因此由设备计算 Flash 注意力，但这些层的缓存在 CPU 的内存中</translation>
    </message>
    <message>
        <source>place the caches where attention runs</source>
        <translation>把缓存放在计算注意力的位置</translation>
    </message>
    <message>
        <source>place these layers on the devices (--gpu-layers), or remove the override</source>
        <translation>把这些层放在设备上（--gpu-layers），或删除该覆盖规则</translation>
    </message>
    <message>
        <source>the copies take about {time}</source>
        <translation>这些复制约需 {time}</translation>
    </message>
    <message>
        <source>leave --no-kv-offload out; without flash attention (-fa off) the CPU reads the caches in place, which generates faster but reads prompts more slowly</source>
        <translation>去掉 --no-kv-offload；不用 Flash 注意力（-fa off）时 CPU 就地读取缓存，生成更快，但读取提示更慢</translation>
    </message>
    <message>
        <source>--tensor-split has {shares} shares, but only {devices} can be used</source>
        <translation>--tensor-split 有 {shares} 个份额，但只有 {devices} 个能用上</translation>
    </message>
    <message>
        <source>each share is for one device that holds layers, in their order</source>
        <translation>每个份额依次对应一个存放层的设备</translation>
    </message>
    <message>
        <source>leave the other shares out, or name more devices</source>
        <translation>去掉其余份额，或指定更多设备</translation>
    </message>
    <message>
        <source>files beside the model {bytes}</source>
        <translation>模型之外的文件 {bytes}</translation>
    </message>
    <message>
        <source>Keep the caches on the devices</source>
        <translation>把缓存留在设备上</translation>
    </message>
    <message>
        <source>&apos;suggest&apos; does not count files beside the model</source>
        <translation>“suggest”不计入模型之外的文件</translation>
    </message>
    <message>
        <source>leave it out, and give a device less memory by what &apos;plan&apos; shows for the file, e.g. rtx-3090:20</source>
        <translation>请去掉它，并按“plan”给出的该文件的数字减少设备的内存，例如 rtx-3090:20</translation>
    </message>
    <message>
        <source>reports do not count files beside the model</source>
        <translation>报告不计入模型之外的文件</translation>
    </message>
    <message>
        <source>leave it out; &apos;plan&apos; counts its memory</source>
        <translation>请去掉它；“plan”会计入其内存</translation>
    </message>
    <message>
        <source>graphs with an adapter are not known</source>
        <translation>带有适配器的图未知</translation>
    </message>
    <message>
        <source>{option} does not change this schedule; &apos;plan&apos; counts its memory.</source>
        <translation>{option} 不改变此调度；“plan”会计入其内存。</translation>
    </message>
    <message>
        <source>--n-cpu-moe {blocks} keeps these experts on the CPU</source>
        <translation>--n-cpu-moe {blocks} 将这些专家留在 CPU 上</translation>
    </message>
    <message>
        <source>--cpu-moe keeps all experts on the CPU</source>
        <translation>--cpu-moe 将所有专家留在 CPU 上</translation>
    </message>
    <message>
        <source>the override rule &apos;{pattern}={target}&apos; places this weight</source>
        <translation>此权重由覆盖规则“{pattern}={target}”放置</translation>
    </message>
    <message>
        <source>Lowering --n-cpu-moe to {block} or less.</source>
        <translation>将 --n-cpu-moe 降到 {block} 或更小。</translation>
    </message>
    <message>
        <source>Replacing --cpu-moe by --n-cpu-moe {block} or less.</source>
        <translation>用 --n-cpu-moe {block} 或更小的值代替 --cpu-moe。</translation>
    </message>
    <message>
        <source>Removing the override rule &apos;{pattern}={target}&apos;.</source>
        <translation>删除覆盖规则“{pattern}={target}”。</translation>
    </message>
    <message>
        <source>Its layer must be on a device as well (--gpu-layers).</source>
        <translation>它所在的层也必须在设备上（--gpu-layers）。</translation>
    </message>
    <message>
        <source>CPU experts = {blocks} keeps these experts on the CPU</source>
        <translation>“CPU 专家”= {blocks} 将这些专家留在 CPU 上</translation>
    </message>
    <message>
        <source>all experts are kept on the CPU</source>
        <translation>所有专家都留在 CPU 上</translation>
    </message>
    <message>
        <source>Lowering CPU experts to {block} or less.</source>
        <translation>将“CPU 专家”降到 {block} 或更小。</translation>
    </message>
    <message>
        <source>Turning off &apos;all experts on the CPU&apos;, with CPU experts of {block} or less.</source>
        <translation>关闭“所有专家在 CPU 上”，并将“CPU 专家”设为 {block} 或更小。</translation>
    </message>
    <message>
        <source>Its layer must be on a device as well (GPU layers).</source>
        <translation>它所在的层也必须在设备上（GPU 层数）。</translation>
    </message>
    <message>
        <source>raise CPU experts, place fewer layers there, or search for the best placement</source>
        <translation>增大“CPU 专家”，在那里放置更少的层，或搜索最佳放置</translation>
    </message>
    <message>
        <source>keep the experts of more blocks on the CPU (--n-cpu-moe), place fewer layers there, or search for the best placement</source>
        <translation>将更多块的专家留在 CPU 上（--n-cpu-moe），在那里放置更少的层，或搜索最佳放置</translation>
    </message>
    <message>
        <source>keep the experts of the first {blocks} blocks on the CPU (--n-cpu-moe {blocks}) so that it fits, or search for the best placement</source>
        <translation>将前 {blocks} 块的专家留在 CPU 上（--n-cpu-moe {blocks}），这样就放得下，或搜索最佳放置</translation>
    </message>
    <message>
        <source>set CPU experts to {blocks} so that it fits, or search for the best placement</source>
        <translation>将“CPU 专家”设为 {blocks}，这样就放得下，或搜索最佳放置</translation>
    </message>
    <message>
        <source>keeping experts on the CPU has no effect</source>
        <translation>将专家留在 CPU 上没有效果</translation>
    </message>
    <message>
        <source>the model has no experts</source>
        <translation>模型没有专家</translation>
    </message>
    <message numerus="yes">
        <source>the first {count} blocks have no experts</source>
        <translation>
            <numerusform>前 {count} 块没有专家</numerusform>
        </translation>
    </message>
    <message>
        <source>leave --cpu-moe and --n-cpu-moe out</source>
        <translation>请去掉 --cpu-moe 和 --n-cpu-moe</translation>
    </message>
    <message>
        <source>set CPU experts to none</source>
        <translation>将“CPU 专家”设为无</translation>
    </message>
    <message>
        <source>Keep no experts on the CPU</source>
        <translation>不将专家留在 CPU 上</translation>
    </message>
    <message>
        <source>Keep the experts of the first {blocks} blocks on the CPU</source>
        <translation>将前 {blocks} 块的专家留在 CPU 上</translation>
    </message>
    <message>
        <source>unknown pooling &apos;{name}&apos;</source>
        <translation>未知的池化方式“{name}”</translation>
    </message>
    <message>
        <source>use none, mean, cls, last or rank</source>
        <translation>请使用 none、mean、cls、last 或 rank</translation>
    </message>
    <message>
        <source>graphs that compute embeddings are known for the generation 2026-08 only</source>
        <translation>计算嵌入的图只在 2026-08 代中已知</translation>
    </message>
    <message>
        <source>accept the extra memory, or turn the machine&apos;s pipelining off (&apos;parallel&apos; in its file)</source>
        <translation>接受额外的内存，或者关闭机器的流水线（其文件中的 &#x27;parallel&#x27;）</translation>
    </message>
    <message>
        <source>Turn pipelining off</source>
        <translation>关闭流水线</translation>
    </message>
    <message>
        <source>Placements are ranked by decode speed, although embedding only reads prompts.</source>
        <translation>放置方案按解码速度比较，尽管嵌入只读取提示词。</translation>
    </message>
    <message>
        <source>it computes on the CPU</source>
        <translation>它在 CPU 上计算</translation>
    </message>
    <message>
        <source>it is integrated, and there is a discrete GPU</source>
        <translation>它是集成显卡，而这里有独立显卡</translation>
    </message>
    <message>
        <source>it is not the first integrated GPU</source>
        <translation>它不是第一个集成显卡</translation>
    </message>
    <message>
        <source>{device} is used only if named, as in llama.cpp: {reason}</source>
        <translation>与 llama.cpp 一样，只有被指定时才使用 {device}：{reason}</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Application</name>
    <message>
        <source>The action failed: %1</source>
        <translation>未能完成：%1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Autosave</name>
    <message>
        <source>Autosaving</source>
        <translation>自动保存</translation>
    </message>
    <message>
        <source>Changes are not autosaved: cannot create or write the folder %1 — check its permissions</source>
        <translation>更改未被保留：无法创建或写入文件夹 %1，请检查其权限</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::BlocksItem</name>
    <message>
        <source>Layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Nodes %1–%2</source>
        <translation>节点 %1–%2</translation>
    </message>
    <message>
        <source>Layers %1–%2</source>
        <translation>第 %1–%2 层</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::BookmarkTableModel</name>
    <message>
        <source>not in this graph</source>
        <translation>不在此图中</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::BookmarksPanel</name>
    <message>
        <source>Bookmarks and notes are saved with the session</source>
        <translation>书签和备注保存在会话中</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>No bookmarks. Select a tensor and press Ctrl+B; double-click a note to edit it.</source>
        <translation>还没有书签。选择一个张量并按 Ctrl+B；双击备注即可书写。</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>写备注</translation>
    </message>
    <message>
        <source>Remove the bookmark</source>
        <translation>删除书签</translation>
    </message>
    <message>
        <source>Bookmark the selected tensor</source>
        <translation>为所选张量添加书签</translation>
    </message>
    <message>
        <source>Remove a bookmark</source>
        <translation>删除书签</translation>
    </message>
    <message>
        <source>Add a bookmark</source>
        <translation>添加书签</translation>
    </message>
    <message>
        <source>Boo&amp;kmark the tensor</source>
        <translation>为张量加书签(&amp;K)</translation>
    </message>
    <message>
        <source>Add or remove a bookmark</source>
        <translation>添加或删除书签</translation>
    </message>
    <message>
        <source>&amp;Write a note …</source>
        <translation>写备注(&amp;W) …</translation>
    </message>
    <message>
        <source>A note on the selected tensor, saved with the session</source>
        <translation>所选张量的备注，保存在会话中</translation>
    </message>
    <message>
        <source>Next bookmark</source>
        <translation>下一个书签</translation>
    </message>
    <message>
        <source>Previous bookmark</source>
        <translation>上一个书签</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::BreakpointTable</name>
    <message>
        <source>Double-click to change it. %1</source>
        <translation>双击以更改。%1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>any node</source>
        <translation>任何节点</translation>
    </message>
    <message>
        <source>Whether the breakpoint is enabled</source>
        <translation>断点是否启用</translation>
    </message>
    <message>
        <source>Number of stops in the last run</source>
        <translation>上次运行停下的次数</translation>
    </message>
    <message>
        <source>Stops at</source>
        <translation>停于</translation>
    </message>
    <message>
        <source>Match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Glob</source>
        <translation>通配符</translation>
    </message>
    <message>
        <source>Regex</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>NaN or Inf</source>
        <translation>NaN 或 Inf</translation>
    </message>
    <message>
        <source>* any text, ? one character, e.g. ffn_*-3</source>
        <translation>* 任意文本，? 一个字符，例如 ffn_*-3</translation>
    </message>
    <message>
        <source>Matches anywhere in the name, e.g. ^ffn_(up|gate)-[0-3]$</source>
        <translation>在名称中任何位置查找，例如 ^ffn_(up|gate)-[0-3]$</translation>
    </message>
    <message>
        <source>An operation, e.g. MUL_MAT</source>
        <translation>一个运算，例如 MUL_MAT</translation>
    </message>
    <message>
        <source>A backend&apos;s name, e.g. GPU0</source>
        <translation>后端名称，例如 GPU0</translation>
    </message>
    <message>
        <source>Only</source>
        <translation>仅当</translation>
    </message>
    <message>
        <source>Checks every computed value, which takes time</source>
        <translation>检查每个算出的值，需要时间</translation>
    </message>
    <message>
        <source>A node, e.g. Qcur-0@ROPE or norm-0@RMS_NORM#2, or all nodes with a name, e.g. Qcur-0</source>
        <translation>一个节点，例如 Qcur-0@ROPE 或 norm-0@RMS_NORM#2；或某名称的所有节点，例如 Qcur-0</translation>
    </message>
    <message>
        <source>Double-click to restrict it: graph=3 (only in the third graph computed), split=1, hits=5 (from the fifth match on), outside=-10..10 (a value outside the range, or not finite)</source>
        <translation>双击以限定：graph=3（仅在第三个计算的图中）、split=1、hits=5（从第五次匹配起）、outside=-10..10（值超出范围，或不是有限数）</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::BreakpointsPanel</name>
    <message>
        <source>What the breakpoint matches; runs stop after a matching node</source>
        <translation>断点看什么；运行在匹配的节点之后停下</translation>
    </message>
    <message>
        <source>Kind of breakpoint</source>
        <translation>断点种类</translation>
    </message>
    <message>
        <source>Name, pattern, operation or backend</source>
        <translation>名称、模式、运算或后端</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>No breakpoints. Runs stop after each matching node. Press F9 or use the context menu to set one on a node.</source>
        <translation>没有断点。运行在每个匹配的节点之后停下；节点的断点可从其上下文菜单或用 F9 设置。</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the selected breakpoint (Del)</source>
        <translation>删除所选断点 (Del)</translation>
    </message>
    <message>
        <source>Delete all</source>
        <translation>全部删除</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::BuffersPanel</name>
    <message>
        <source>The graph shown uses %1 of the %2 reserved.</source>
        <translation>所示的图使用了所预留 %2 中的 %1。</translation>
    </message>
    <message>
        <source>Compute buffers are reserved for the prompt and for generation, whichever needs more. Decode and Prefill in the toolbar change the graph shown.</source>
        <translation>计算缓冲区按提示和生成中需求较大者预留。工具栏中的“解码”和“预填充”可切换所示的图。</translation>
    </message>
    <message>
        <source>Reading the memory plan</source>
        <translation>正在读取内存计划</translation>
    </message>
    <message>
        <source>Memory totals</source>
        <translation>内存合计</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>Memory map</source>
        <translation>内存图</translation>
    </message>
    <message>
        <source>Offset and lifetime of each tensor in the buffer</source>
        <translation>每个张量在缓冲区中的位置和时长</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>空隙</translation>
    </message>
    <message>
        <source>Lifetimes</source>
        <translation>生存期</translation>
    </message>
    <message>
        <source>Unused bytes below the highest one in use: lost to fragmentation</source>
        <translation>最高使用位置以下无人使用的字节：因碎片而浪费</translation>
    </message>
    <message>
        <source>Lifetimes of the tensors; those that hold the most memory for the longest time first</source>
        <translation>每个张量占用其位置多久；占得最多最久的排在最前</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Tensors in the buffer at its peak, largest first</source>
        <translation>缓冲区最满时其中有什么，最大的在前</translation>
    </message>
    <message>
        <source>The compute buffer to show</source>
        <translation>查看哪个计算缓冲区</translation>
    </message>
    <message>
        <source>Tensors at the peak</source>
        <translation>峰值时的张量</translation>
    </message>
    <message>
        <source>, chunk %1</source>
        <translation>，第 %1 块</translation>
    </message>
    <message>
        <source>All buffers</source>
        <translation>所有计算缓冲区</translation>
    </message>
    <message>
        <source>%1 peaks while node %2 runs (%3): %4 in %5 tensors.</source>
        <translation>%1 在节点 %2 运行时占用最多 (%3)：%4，共 %5 个张量。</translation>
    </message>
    <message>
        <source>The buffer takes %1, of which %2 are lost to gaps.</source>
        <translation>缓冲区为 %1：%2 浪费在空隙中。</translation>
    </message>
    <message>
        <source>node of the schedule graph</source>
        <translation>调度图的节点</translation>
    </message>
    <message>
        <source>largest gap %1</source>
        <translation>最大空隙 %1</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>Bytes in use in the compute buffer while each node runs. Wheel or + and −: zoom; drag: pan; 0 or double click: reset</source>
        <translation>每个节点运行时计算缓冲区中使用的字节数。滚轮或 + 与 −：放大缩小；拖动：平移；0 或双击：全部</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::CanvasView</name>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>&lt;br&gt;parameters %1</source>
        <translation>&lt;br&gt;参数 %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>not assigned yet</source>
        <translation>尚未分配</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;i&gt;view operation: computes nothing, shares memory&lt;/i&gt;</source>
        <translation>&lt;br&gt;&lt;i&gt;视图运算：不计算，只共用内存&lt;/i&gt;</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;i&gt;read in several places: drawn at each use&lt;/i&gt;</source>
        <translation>&lt;br&gt;&lt;i&gt;在多处被读取：画在每个使用处旁边&lt;/i&gt;</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;i&gt;computed in an earlier block&lt;/i&gt;</source>
        <translation>&lt;br&gt;&lt;i&gt;在更早的块中计算&lt;/i&gt;</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;i&gt;read by later blocks&lt;/i&gt;</source>
        <translation>&lt;br&gt;&lt;i&gt;被后面的块读取&lt;/i&gt;</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;b&gt;the run is paused here&lt;/b&gt;</source>
        <translation>&lt;br&gt;&lt;b&gt;运行停在这里&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;b&gt;the run failed here&lt;/b&gt;</source>
        <translation>&lt;br&gt;&lt;b&gt;运行在这里失败&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;br&gt;has a breakpoint</source>
        <translation>&lt;br&gt;有断点</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;i&gt;in-place: reuses a source&apos;s memory&lt;/i&gt;</source>
        <translation>&lt;br&gt;&lt;i&gt;就地：接用源的内存&lt;/i&gt;</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上有 %1</translation>
    </message>
    <message>
        <source>%1 not assigned yet</source>
        <translation>%1尚未指定</translation>
    </message>
    <message>
        <source>double-click to open</source>
        <translation>双击打开</translation>
    </message>
    <message>
        <source>&lt;br&gt;copied: %1, %2</source>
        <translation>&lt;br&gt;复制：%1，%2</translation>
    </message>
    <message>
        <source>&lt;br&gt;and %1 more</source>
        <translation>&lt;br&gt;另有 %1 个</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::CommandPalette</name>
    <message>
        <source>No command matches</source>
        <translation>没有匹配的命令</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ComparePanel</name>
    <message>
        <source>%1 of both sides</source>
        <translation>双方的%1</translation>
    </message>
    <message>
        <source>switches</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The displayed graph has no such tensor.</source>
        <translation>屏幕上的图没有这个张量。</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>Where two schedules differ</source>
        <translation>两个调度在哪里不同</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Where the numbers of two devices, runs or sessions differ</source>
        <translation>两个设备、运行或会话的数值在哪里不同</translation>
    </message>
    <message>
        <source>What to compare</source>
        <translation>比较什么</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>scheduler %1</source>
        <translation>调度器 %1</translation>
    </message>
    <message>
        <source>a session, model or graph …</source>
        <translation>会话、模型或图 …</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>All passes</source>
        <translation>所有轮</translation>
    </message>
    <message>
        <source>Only tensors that end on another backend</source>
        <translation>仅最终在其他后端上的</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Show in all views</source>
        <translation>在所有视图中显示</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>other</source>
        <translation>另一方</translation>
    </message>
    <message>
        <source>The graph, the tables, the buffers and Why show this side</source>
        <translation>图、表格、缓冲区和“为什么”显示这一方</translation>
    </message>
    <message>
        <source>Choose another generation of the scheduler for this graph, or another session.</source>
        <translation>选择与什么比较：另一世代的调度器如何决定此图，或另一个会话。</translation>
    </message>
    <message>
        <source>Pass %1 (%2)</source>
        <translation>第 %1 轮 (%2)</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; tensors decided differently, &lt;b&gt;%2&lt;/b&gt; end on another backend</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 个张量的决策不同，&lt;b&gt;%2&lt;/b&gt; 个最终在其他后端上</translation>
    </message>
    <message>
        <source>first different split: %1</source>
        <translation>首个不同的分段：%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;: no decision</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;：没有决策</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;, pass %2: %3 %4</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;，第 %2 轮：%3 %4</translation>
    </message>
    <message>
        <source>current, as compared</source>
        <translation>当前，按比较时的图</translation>
    </message>
    <message>
        <source>No difference after this</source>
        <translation>此后没有差异</translation>
    </message>
    <message>
        <source>No difference before this</source>
        <translation>此前没有差异</translation>
    </message>
    <message>
        <source>Next &amp;difference</source>
        <translation>下一处差异(&amp;D)</translation>
    </message>
    <message>
        <source>Select the next difference in Compare</source>
        <translation>“比较”中两侧不同的下一个张量</translation>
    </message>
    <message>
        <source>Previous di&amp;fference</source>
        <translation>上一处差异(&amp;F)</translation>
    </message>
    <message>
        <source>Select the previous difference in Compare</source>
        <translation>“比较”中两侧不同的上一个张量</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; tensors decided differently before a side failed, &lt;b&gt;%2&lt;/b&gt; not reached and not compared</source>
        <translation>在一侧放弃之前，&lt;b&gt;%1&lt;/b&gt; 个张量的决策不同；&lt;b&gt;%2&lt;/b&gt; 个未到达，未比较</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; tensors decided differently, all end on the same backend</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 个张量的决策不同，最终都在同一后端</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 放弃了：%2</translation>
    </message>
    <message>
        <source>Only moved</source>
        <translation>仅移动的</translation>
    </message>
    <message>
        <source>first different decision: pass %1, %2</source>
        <translation>第一个不同的决策：第 %1 轮，%2</translation>
    </message>
    <message>
        <source>splits: %1 recorded, %2 here</source>
        <translation>分段：录制 %1 个，此处 %2 个</translation>
    </message>
    <message>
        <source>Recorded model</source>
        <translation>录制时所用的模型</translation>
    </message>
    <message>
        <source>recorded decisions</source>
        <translation>录制的决策</translation>
    </message>
    <message>
        <source>Builds the graph of the recorded model, places it as recorded and compares the two</source>
        <translation>构建录制时所用模型的图，按录制放置，并比较两者</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; of %2 tensors on other backends than recorded</source>
        <translation>%2 个张量中有 &lt;b&gt;%1&lt;/b&gt; 个所在后端与录制不同</translation>
    </message>
    <message>
        <source>Decided identically</source>
        <translation>决策相同</translation>
    </message>
    <message>
        <source>recorded decisions, on a model …</source>
        <translation>录制的决策，对照模型…</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Comparison</name>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Both schedule the graph of the file (%1).</source>
        <translation>两侧都对文件中的图（%1）做决定。</translation>
    </message>
    <message>
        <source>Both schedule the displayed graph (%1), with the same machine and options.</source>
        <translation>两侧都对屏幕上的图（%1）做决定，机器和选项相同。</translation>
    </message>
    <message>
        <source>Both schedule the graph in the form of %1 (%2), with the same machine and options. The views show the form of %3 (%4).</source>
        <translation>两侧都对 %1 构建的图（%2）做决定，机器和选项相同。各视图显示的是另一个图：由 %3 构建（%4）。</translation>
    </message>
    <message>
        <source>%1: %2, scheduler %3, %4</source>
        <translation>%1：%2，调度器 %3，%4</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Both have the same %1 operations in the same order.</source>
        <translation>两者的 %1 个运算及其顺序相同。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>本程序</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>%1 of %2 nodes differ, first node %3: recorded %4, built %5.</source>
        <translation>%2 个节点中有 %1 个不同，首个为节点 %3：录制为 %4，构建为 %5。</translation>
    </message>
    <message>
        <source>Both sides have the graph of the file (%1); “recorded” refers to the program&apos;s decisions.</source>
        <translation>两侧都是文件中的图（%1）；“录制”是该程序所作的决策。</translation>
    </message>
    <message>
        <source>The recorded nodes compared with the graph built from %1: %2, flash attention %3, %4.</source>
        <translation>录制的节点与由 %1 构建的图对照：%2，Flash 注意力 %3，%4。</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>1 layer on devices</source>
        <translation>设备上 1 层</translation>
    </message>
    <message>
        <source>%1 layers on devices</source>
        <translation>设备上 %1 层</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::CopyTableModel</name>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::CrossEdgesItem</name>
    <message>
        <source>%1 copies, %2</source>
        <translation>%1 次复制，%2</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::DecisionTableModel</name>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Order of the decisions</source>
        <translation>调度器作出决策的次序</translation>
    </message>
    <message>
        <source>The scheduler&apos;s pass that made the decision</source>
        <translation>作出决策的轮</translation>
    </message>
    <message>
        <source>The tensor that the decision concerns</source>
        <translation>决策所针对的张量</translation>
    </message>
    <message>
        <source>Backend before the decision; – for none</source>
        <translation>决策前的后端；– 表示没有</translation>
    </message>
    <message>
        <source>Backend after the decision; – for none</source>
        <translation>决策后的后端；– 表示没有</translation>
    </message>
    <message>
        <source>The scheduler&apos;s label of the cause</source>
        <translation>调度器自己对原因的标签</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::DecisionsPanel</name>
    <message>
        <source>Which decisions</source>
        <translation>哪些决策</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>所有决策</translation>
    </message>
    <message>
        <source>Decisions on the selected tensor</source>
        <translation>针对所选张量的</translation>
    </message>
    <message>
        <source>Changes of the last step</source>
        <translation>上一步改变的</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 处改变</translation>
    </message>
    <message>
        <source>%1 decisions</source>
        <translation>%1 个决策</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::DifferenceBar</name>
    <message>
        <source>Effect of the last change</source>
        <translation>上次更改的效果</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>All views show one side of the comparison: &lt;b&gt;%1&lt;/b&gt;. An edit returns to the session.</source>
        <translation>所有视图显示比较的另一方：&lt;b&gt;%1&lt;/b&gt;。编辑会切换回来。</translation>
    </message>
    <message>
        <source>same splits, copies and buffers</source>
        <translation>分段、复制和缓冲区不变</translation>
    </message>
    <message>
        <source>Last change:</source>
        <translation>上次更改：</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另外 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>splitscope::ui::DifferenceTableModel</name>
    <message>
        <source>(no cause)</source>
        <translation>（无原因）</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Decision of %1</source>
        <translation>%1 的决策</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>Final</source>
        <translation>最终</translation>
    </message>
    <message>
        <source>The tensor&apos;s backend in %1, then in %2 if it is another</source>
        <translation>张量在 %1 中的后端；若在 %2 中不同，随后列出</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Document</name>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>Scheduling</source>
        <translation>正在调度</translation>
    </message>
    <message>
        <source>%1 was not opened, because the session has changed in the meantime — save the changes, or open the file again</source>
        <translation>未打开 %1：在此期间当前内容已被更改，请保存更改，或再次打开它</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::DotProcess</name>
    <message>
        <source>Graphviz (dot) was not found: showing the quick layout; install graphviz for a better one</source>
        <translation>未找到 Graphviz (dot)：显示的是快速布局；安装 graphviz 可得到更好的布局</translation>
    </message>
    <message>
        <source>Graphviz exceeded its time limit: some parts keep the quick layout</source>
        <translation>Graphviz 用时过长：未就绪之处保留快速布局</translation>
    </message>
    <message>
        <source>Graphviz ended early: some parts keep the quick layout</source>
        <translation>Graphviz 提前结束：它未给出结果之处保留快速布局</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::EditedSession</name>
    <message>
        <source>Apply the session</source>
        <translation>采用会话中的内容</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ElementDifferenceTable</name>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::FigureChanges</name>
    <message>
        <source>verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>prompt tokens/s</source>
        <translation>提示词词元/秒</translation>
    </message>
    <message>
        <source>splits</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>copied per run</source>
        <translation>每次运行复制</translation>
    </message>
    <message>
        <source>nodes on %1</source>
        <translation>%1 上的节点</translation>
    </message>
    <message>
        <source>compute buffer of %1</source>
        <translation>%1 的计算缓冲区</translation>
    </message>
    <message>
        <source>weights and caches on %1</source>
        <translation>%1 上的权重和缓存</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>copied per token</source>
        <translation>每词元复制</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>设备</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::FindingsPanel</name>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>怎么办</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>No findings.</source>
        <translation>没有需要指出的。</translation>
    </message>
    <message>
        <source>%1, rule %2</source>
        <translation>%1，规则 %2</translation>
    </message>
    <message>
        <source>Find the best placement</source>
        <translation>寻找最佳放置</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Search for the fastest placement that fits</source>
        <translation>搜索放得下的最快放置</translation>
    </message>
    <message>
        <source>Choose a machine</source>
        <translation>选择机器</translation>
    </message>
    <message>
        <source>Show the Machine panel: this computer, a preset or a file</source>
        <translation>显示“机器”面板：本机、预设或文件</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::FramesItem</name>
    <message>
        <source>Not split · %1</source>
        <translation>未分段 · %1</translation>
    </message>
    <message>
        <source>Split %1 · %2 · %3</source>
        <translation>分段 %1 · %2 · %3</translation>
    </message>
    <message>
        <source>1 copy, %1</source>
        <translation>1 次复制，%1</translation>
    </message>
    <message>
        <source>%1 copies, %2</source>
        <translation>%1 次复制，%2</translation>
    </message>
    <message>
        <source>Not split</source>
        <translation>未分段</translation>
    </message>
    <message>
        <source>Split %1 · %2</source>
        <translation>分段 %1 · %2</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::LinkTableModel</name>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::QtText</name>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>1 view</source>
        <translation>1 个视图</translation>
    </message>
    <message>
        <source>%1 views</source>
        <translation>%1 个视图</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::GlossaryDialog</name>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>a device with its priority in the scheduler; the CPU has the lowest</source>
        <translation>带有优先级、供调度器使用的设备；CPU 的优先级最低</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>a block of memory on one device that holds tensors</source>
        <translation>一个设备上存放张量的一块内存</translation>
    </message>
    <message>
        <source>Buffer type</source>
        <translation>缓冲区类型</translation>
    </message>
    <message>
        <source>the kind of memory of a buffer; a backend reads some buffer types in place and others only after a copy</source>
        <translation>缓冲区所用内存的种类；后端可以直接读取某些缓冲区类型，其余的要先复制</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>the rule behind a decision, with ggml&apos;s label: 1.wgt0 (weights in source 0), 2.sup, 3.upg, …</source>
        <translation>决策所依据的规则，用 ggml 的标签表示：1.wgt0（源 0 中的权重）、2.sup、3.upg……</translation>
    </message>
    <message>
        <source>Compute buffer</source>
        <translation>计算缓冲区</translation>
    </message>
    <message>
        <source>memory for results that live only while the graph runs; tensors with disjoint lifetimes share it</source>
        <translation>存放只在图运行期间存在的结果的内存；生存期不重叠的张量共用同一块内存</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>a duplicate of a tensor on the backend of a split that cannot read the original in place; also the transfer</source>
        <translation>当分段的后端无法就地读取原张量时，在该后端上建立的副本；也指这次传输</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>one step of a pass: a tensor is assigned to a backend, for a cause</source>
        <translation>一轮中的一步：出于某个原因，把一个张量分配给一个后端</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>generating tokens one after another</source>
        <translation>逐个生成词元</translation>
    </message>
    <message>
        <source>Fallback</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>a node on the CPU because backends of higher priority refused it</source>
        <translation>因优先级更高的后端拒绝而落到 CPU 上的节点</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>世代</translation>
    </message>
    <message>
        <source>a version of the scheduler, named by its month: 2024-01, 2024-10, 2025-06 or 2026-08</source>
        <translation>调度器的一个版本，以月份命名：2024-01、2024-10、2025-06 或 2026-08</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>keys and values of all tokens so far; grows with the context; each layer&apos;s part is on the device of the layer, or in host memory with --no-kv-offload</source>
        <translation>到目前为止所有词元的键和值；随上下文增长，各层的部分位于该层的设备上；使用 --no-kv-offload 时位于主机内存中</translation>
    </message>
    <message>
        <source>Leaf</source>
        <translation>叶</translation>
    </message>
    <message>
        <source>a tensor that is not computed: a weight, a cache or an input</source>
        <translation>不经计算得到的张量：权重、缓存或输入</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>a tensor computed by an operation; a graph lists its nodes in execution order</source>
        <translation>由一个运算计算的张量；图按执行顺序列出其节点</translation>
    </message>
    <message>
        <source>Op offload</source>
        <translation>运算卸载</translation>
    </message>
    <message>
        <source>running an operation on a device although its weights are in host memory, because the batch is large enough to upload them</source>
        <translation>权重虽在主机内存中，但因批次足够大、值得上传权重，而在设备上执行运算</translation>
    </message>
    <message>
        <source>Override</source>
        <translation>覆盖规则</translation>
    </message>
    <message>
        <source>a regular expression and a buffer type for the weights whose names match; the first matching rule applies</source>
        <translation>一个正则表达式和一个缓冲区类型，用于名称匹配的权重；第一条匹配的规则生效</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>one traversal of the graph by the scheduler: fixed tensors (1), spread to neighbours (2.1–2.4), best fit and upgrade (3), views and sources (4), splits (5)</source>
        <translation>调度器对图的一次遍历：固定的张量（1）、向相邻扩展（2.1–2.4）、最佳匹配与升级（3）、视图与源（4）、分段（5）</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>processing the prompt, in micro-batches</source>
        <translation>以微批次处理提示</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>consecutive nodes on one backend, computed together</source>
        <translation>同一后端上连续的、一起计算的节点</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>a tensor without data of its own, which shares the memory of another one</source>
        <translation>没有自己的数据、与另一个张量共用内存的张量</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Find a term</source>
        <translation>查找术语</translation>
    </message>
    <message>
        <source>No term matches</source>
        <translation>没有匹配的术语</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::GraphChooser</name>
    <message>
        <source>Reading the graph</source>
        <translation>正在读取图</translation>
    </message>
    <message>
        <source>The graph of the file to show</source>
        <translation>查看文件中的哪个图</translation>
    </message>
    <message>
        <source>Graph of the file</source>
        <translation>文件中的图</translation>
    </message>
    <message>
        <source>Show graph %1</source>
        <translation>查看图 %1</translation>
    </message>
    <message>
        <source>%1. %2, %3 nodes</source>
        <translation>%1. %2，%3 个节点</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::GraphPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… 另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Laying out</source>
        <translation>正在布局</translation>
    </message>
    <message>
        <source>Find a tensor or operation</source>
        <translation>查找张量或运算</translation>
    </message>
    <message>
        <source>Previous (Shift+F3)</source>
        <translation>上一个 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next (F3)</source>
        <translation>下一个 (F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Opening …&lt;/h3&gt;</source>
        <translation>&lt;h3&gt;正在打开 …&lt;/h3&gt;</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Could not open&lt;/h3&gt;%1</source>
        <translation>&lt;h3&gt;无法打开&lt;/h3&gt;%1</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Nothing open&lt;/h3&gt;Drop a GGUF model, a recorded graph or a scheduler log here.</source>
        <translation>&lt;h3&gt;没有打开任何内容&lt;/h3&gt;将 GGUF 模型、捕获的图或调度器的日志拖放到这里。</translation>
    </message>
    <message>
        <source>Open a file (Ctrl+O)</source>
        <translation>打开文件 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Open the sample model</source>
        <translation>看看示例模型</translation>
    </message>
    <message>
        <source>&amp;Find …</source>
        <translation>查找(&amp;F) …</translation>
    </message>
    <message>
        <source>Find a tensor or operation in the graph</source>
        <translation>在图中查找张量或运算</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find &amp;previous</source>
        <translation>查找上一个(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Fit the graph</source>
        <translation>适合窗口(&amp;F)</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Path to the &amp;inputs</source>
        <translation>到输入的路径(&amp;I)</translation>
    </message>
    <message>
        <source>Dim everything that does not contribute to the selected tensor</source>
        <translation>淡化所选张量计算来源以外的一切</translation>
    </message>
    <message>
        <source>Path to the &amp;outputs</source>
        <translation>到输出的路径(&amp;O)</translation>
    </message>
    <message>
        <source>Dim everything that does not depend on the selected tensor</source>
        <translation>淡化由所选张量算出的以外的一切</translation>
    </message>
    <message>
        <source>Path both &amp;ways</source>
        <translation>双向路径(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Stop dimming</source>
        <translation>停止淡化(&amp;S)</translation>
    </message>
    <message>
        <source>Show all nodes without dimming again</source>
        <translation>重新显示所有节点，不再淡化</translation>
    </message>
    <message>
        <source>O&amp;verview of the splits</source>
        <translation>分段概览(&amp;V)</translation>
    </message>
    <message>
        <source>One box per split, with the copies between them; double-click a split to open it</source>
        <translation>每个分段画成一个方框，并显示其间的复制；双击可打开一个</translation>
    </message>
    <message>
        <source>&amp;Collapse or expand the layer</source>
        <translation>折叠或展开该层(&amp;C)</translation>
    </message>
    <message>
        <source>Draw the layer of the selected tensor as one box, or in full</source>
        <translation>将所选张量的层画成一个框，或照原样</translation>
    </message>
    <message>
        <source>Collapse all la&amp;yers</source>
        <translation>折叠所有层(&amp;Y)</translation>
    </message>
    <message>
        <source>An overview: splits and layers</source>
        <translation>概览：分段和层</translation>
    </message>
    <message>
        <source>&amp;Expand all layers</source>
        <translation>展开所有层(&amp;E)</translation>
    </message>
    <message>
        <source>Colouring the graph</source>
        <translation>正在给图着色</translation>
    </message>
    <message>
        <source>Colour by &amp;backend</source>
        <translation>按后端着色(&amp;B)</translation>
    </message>
    <message>
        <source>Colour nodes by backend</source>
        <translation>节点颜色表示其运行位置</translation>
    </message>
    <message>
        <source>Colour by &amp;time</source>
        <translation>按时间着色(&amp;T)</translation>
    </message>
    <message>
        <source>Colour nodes by their time in the last run</source>
        <translation>按上次运行中的计算时间给节点着色</translation>
    </message>
    <message>
        <source>Colour by b&amp;ytes</source>
        <translation>按字节着色(&amp;Y)</translation>
    </message>
    <message>
        <source>Colour nodes by the bytes they write</source>
        <translation>按写入的字节给节点着色</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::GuideDialog</name>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>Find in the guide; Enter finds the next match</source>
        <translation>在指南中查找，回车到下一处</translation>
    </message>
    <message>
        <source>Find in the guide</source>
        <translation>在指南中查找</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::HeatMapView</name>
    <message>
        <source>Heat map of the slice</source>
        <translation>切片的热图</translation>
    </message>
    <message>
        <source>row %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message>
        <source>from %1: mean %2</source>
        <translation>自 %1 起：平均 %2</translation>
    </message>
    <message>
        <source>no finite value</source>
        <translation>没有有限值</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Histogram</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>%1 values from %2 to %3</source>
        <translation>%1 个值介于 %2 和 %3 之间</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::JobChannel</name>
    <message>
        <source>Not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>close other programs or open a smaller file</source>
        <translation>关闭其他程序或打开更小的文件</translation>
    </message>
    <message>
        <source>Failed for an unknown reason</source>
        <translation>操作失败，且未给出原因</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::LifetimeTableModel</name>
    <message>
        <source>start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>%1, in place</source>
        <translation>%1，就地</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>From node</source>
        <translation>起始节点</translation>
    </message>
    <message>
        <source>To node</source>
        <translation>结束节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation>峰值时</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the bytes in use at the peak</source>
        <translation>占峰值时所用字节的比例</translation>
    </message>
    <message>
        <source>In use at the buffer&apos;s peak</source>
        <translation>缓冲区最满时正在使用</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::LineChart</name>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>Chart of bytes over the nodes</source>
        <translation>各节点字节数的图表</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MachineBar</name>
    <message>
        <source>Number of layers on the GPU</source>
        <translation>GPU 上的层数</translation>
    </message>
    <message>
        <source>Generation of the scheduler</source>
        <translation>调度器的世代：真实的调度器当时如何决定</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>世代</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Decode: the graph of one token. Prefill: the graph of a prompt batch</source>
        <translation>解码：一个词元的图。预填充：提示的一个批次的图</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Layers with weights on accelerators; the output layer counts as one</source>
        <translation>权重在加速器上的层数；输出层算一层</translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation>GPU 上的层</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>generation</source>
        <translation>世代</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MachineEdit</name>
    <message>
        <source>%1 of memory, %2 GB/s, link %3 GB/s
%4</source>
        <translation>内存 %1，%2 GB/s，链路 %3 GB/s
%4</translation>
    </message>
    <message>
        <source>%1 (%2) cannot be used: %3.</source>
        <translation>%1（%2）无法使用：%3。</translation>
    </message>
    <message>
        <source>%1: %2, driver %3, %4 of memory</source>
        <translation>%1：%2，驱动程序 %3，内存 %4</translation>
    </message>
    <message>
        <source>No %1 device can be used: %2.</source>
        <translation>没有可用的 %1 设备：%2。</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MachinePanel</name>
    <message>
        <source>Reading device presets</source>
        <translation>正在读取设备预设</translation>
    </message>
    <message>
        <source>Adding the device</source>
        <translation>正在添加设备</translation>
    </message>
    <message>
        <source>Devices, highest priority first</source>
        <translation>设备，优先级高的在前</translation>
    </message>
    <message>
        <source>Devices in priority order</source>
        <translation>按优先级排列的设备</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Reading the presets …</source>
        <translation>正在读取预设 …</translation>
    </message>
    <message>
        <source>This computer&apos;s devices</source>
        <translation>这台计算机的设备</translation>
    </message>
    <message>
        <source>Add the device %1</source>
        <translation>添加设备 %1</translation>
    </message>
    <message>
        <source>devices: remove %1</source>
        <translation>设备：移除 %1</translation>
    </message>
    <message>
        <source>Devices that were found</source>
        <translation>找到的设备</translation>
    </message>
    <message>
        <source>%1 of the machine, %2</source>
        <translation>机器中的 %1，%2</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MachineSource</name>
    <message>
        <source>Finding the machine</source>
        <translation>正在查找机器</translation>
    </message>
    <message>
        <source>My computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Replace the machine with the devices of this computer</source>
        <translation>用本机的设备替换机器</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Replace the machine with one that has this device, whether or not it is present</source>
        <translation>用带有此设备的机器替换，无论是否拥有它</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Open or save the machine</source>
        <translation>从文件读取机器，或写入文件</translation>
    </message>
    <message>
        <source>Open a machine …</source>
        <translation>打开机器…</translation>
    </message>
    <message>
        <source>Save the machine …</source>
        <translation>保存机器…</translation>
    </message>
    <message>
        <source>Simulated GPU and CPU</source>
        <translation>模拟的 GPU 和 CPU</translation>
    </message>
    <message>
        <source>Use this computer&apos;s devices</source>
        <translation>采用本机的设备</translation>
    </message>
    <message>
        <source>Use the machine %1</source>
        <translation>采用机器 %1</translation>
    </message>
    <message>
        <source>Use the simulated machine</source>
        <translation>采用模拟的机器</translation>
    </message>
    <message>
        <source>Use the machine of %1</source>
        <translation>采用 %1 的机器</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Use the devices of your own build of ggml, and of its servers</source>
        <translation>使用您自己构建的 ggml 及其服务器的设备</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MainWindow</name>
    <message>
        <source>Nothing was saved: the document changed while the name was chosen.</source>
        <translation>未保存：选择文件名期间，打开的内容已改变。</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Splitscope</source>
        <translation>Splitscope</translation>
    </message>
    <message>
        <source>%1 nodes, %2 of them views · %3 leafs · %4 decisions · scheduler %5</source>
        <translation>%1 个节点，其中 %2 个视图 · %3 个叶 · %4 个决策 · 调度器 %5</translation>
    </message>
    <message>
        <source>%1[*] – Splitscope</source>
        <translation>%1[*] – Splitscope</translation>
    </message>
    <message>
        <source>The settings were damaged and have been reset; the old file is %1.</source>
        <translation>设置已损坏，现已恢复初始；旧文件为 %1。</translation>
    </message>
    <message>
        <source>Settings are not saved: %1 cannot be written.</source>
        <translation>设置不会保留：无法写入 %1。</translation>
    </message>
    <message>
        <source>Autosaved changes are damaged; they are in %1.</source>
        <translation>保留的更改已损坏；位于 %1。</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>The session has unsaved changes.</source>
        <translation>会话有未保存的更改。</translation>
    </message>
    <message>
        <source>Report saved: %1</source>
        <translation>报告已保存：%1</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>打开(&amp;O) …</translation>
    </message>
    <message>
        <source>Open a GGUF model or a recorded graph</source>
        <translation>打开 GGUF 模型或捕获的图</translation>
    </message>
    <message>
        <source>Open the &amp;sample model</source>
        <translation>打开示例模型(&amp;S)</translation>
    </message>
    <message>
        <source>Open the built-in sample model</source>
        <translation>打开随程序提供的模型</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>保存会话(&amp;S)</translation>
    </message>
    <message>
        <source>Save the file&apos;s name, the options, the machine and your notes</source>
        <translation>保存文件名、选项、机器和备注；以后可再打开</translation>
    </message>
    <message>
        <source>Save session &amp;as …</source>
        <translation>会话另存为(&amp;A) …</translation>
    </message>
    <message>
        <source>Save the session in another file</source>
        <translation>将会话保存到另一个文件</translation>
    </message>
    <message>
        <source>Save &amp;report …</source>
        <translation>保存报告(&amp;R) …</translation>
    </message>
    <message>
        <source>Choose the contents of a report, preview it, and save it as HTML, PDF, Markdown, JSON or CSV</source>
        <translation>选择报告的内容，查看，并保存为 HTML、PDF、Markdown、JSON 或 CSV</translation>
    </message>
    <message>
        <source>Export &amp;image …</source>
        <translation>导出图像(&amp;I) …</translation>
    </message>
    <message>
        <source>Save the whole graph as SVG or PNG</source>
        <translation>将整个图保存为 SVG 或 PNG</translation>
    </message>
    <message>
        <source>Export the &amp;visible part …</source>
        <translation>导出可见部分(&amp;V) …</translation>
    </message>
    <message>
        <source>Save the visible part as SVG or PNG</source>
        <translation>将视图中的内容保存为 SVG 或 PNG</translation>
    </message>
    <message>
        <source>Se&amp;ttings …</source>
        <translation>设置(&amp;T) …</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Undo the last change to the session</source>
        <translation>撤销对会话的上次更改</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Redo the last undone change</source>
        <translation>重新执行被撤销的更改</translation>
    </message>
    <message>
        <source>Copy the tensor&apos;s na&amp;me</source>
        <translation>复制张量名称(&amp;M)</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>&amp;Cancel running jobs</source>
        <translation>取消正在进行的工作(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Go back to the previous selection</source>
        <translation>回到之前所选的内容</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Go forward to the next selection</source>
        <translation>前进到下一个选择</translation>
    </message>
    <message>
        <source>&amp;Next node</source>
        <translation>下一个节点(&amp;N)</translation>
    </message>
    <message>
        <source>Select the next node in execution order</source>
        <translation>执行次序中的下一个节点</translation>
    </message>
    <message>
        <source>&amp;Previous node</source>
        <translation>上一个节点(&amp;P)</translation>
    </message>
    <message>
        <source>Select the previous node in execution order</source>
        <translation>执行次序中的上一个节点</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>&amp;Move docks</source>
        <translation>移动停靠窗口(&amp;M)</translation>
    </message>
    <message>
        <source>Show title bars to drag docks by</source>
        <translation>显示标题栏以拖动停靠窗口</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Restore the default docks</source>
        <translation>停靠窗口恢复为初装时的样子</translation>
    </message>
    <message>
        <source>&amp;Switch between dark and light</source>
        <translation>切换深色和浅色(&amp;S)</translation>
    </message>
    <message>
        <source>Use the s&amp;ystem theme</source>
        <translation>跟随系统主题(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>A short tour of the window</source>
        <translation>简短地走一遍窗口</translation>
    </message>
    <message>
        <source>T&amp;erms</source>
        <translation>术语(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;All commands …</source>
        <translation>所有命令(&amp;A) …</translation>
    </message>
    <message>
        <source>Find a command by name</source>
        <translation>按名称查找命令</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>A&amp;bout Splitscope</source>
        <translation>关于 Splitscope(&amp;B)</translation>
    </message>
    <message>
        <source>About Splitscope</source>
        <translation>关于 Splitscope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Splitscope %1&lt;/h3&gt;&lt;p&gt;A visual debugger for tensor-graph scheduling: where each node of a model runs, why, what is copied, and what each buffer holds.&lt;/p&gt;&lt;p&gt;Engine: MIT. Desktop: GPL-3.0-or-later, with Qt and Qt Charts %2.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Splitscope %1&lt;/h3&gt;&lt;p&gt;张量图调度的可视化调试器：模型的每个节点在哪里运行、为什么、复制了什么，以及每个缓冲区中有什么。&lt;/p&gt;&lt;p&gt;引擎：MIT。桌面：GPL-3.0-or-later，使用 Qt 与 Qt Charts %2。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>停靠窗口(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>步进(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>主工具栏</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Models, graphs and logs (*.gguf *.json *.log *.dot *.txt);;All files (*)</source>
        <translation>模型、图和日志 (*.gguf *.json *.log *.dot *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Report (*%1);;All files (*)</source>
        <translation>报告 (*%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Sessions (*.splitscope.json)</source>
        <translation>会话 (*.splitscope.json)</translation>
    </message>
    <message>
        <source>Session saved: %1</source>
        <translation>会话已保存：%1</translation>
    </message>
    <message>
        <source>Export image</source>
        <translation>导出图像</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG (*.png)</source>
        <translation>SVG (*.svg);;PNG (*.png)</translation>
    </message>
    <message>
        <source>Image saved: %1</source>
        <translation>图像已保存：%1</translation>
    </message>
    <message>
        <source>The answer at a glance</source>
        <translation>一眼看到答案</translation>
    </message>
    <message>
        <source>The graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Frames are splits in the colour of their backend, red edges are copies with their bytes. Drag to pan, turn the wheel to zoom, click a node.</source>
        <translation>边框是分段，颜色是其后端；红色的边是复制及其字节数。拖动平移，滚轮缩放，单击节点。</translation>
    </message>
    <message>
        <source>Why a node is where it is</source>
        <translation>节点为什么在那里</translation>
    </message>
    <message>
        <source>Each decision on the selected tensor with its evidence, the backends that refused it and their rules, and changes that would move it.</source>
        <translation>所选张量的每个决策及其依据、谁拒绝、依哪条规则，以及什么会改变它。</translation>
    </message>
    <message>
        <source>Step through the passes</source>
        <translation>逐轮步进</translation>
    </message>
    <message>
        <source>Drag the marker, or press F10 and Shift+F10: the graph and the tables show the state after each decision.</source>
        <translation>拖动标记，或按 F10 和 Shift+F10：图和表格显示每个决策之后的状态。</translation>
    </message>
    <message>
        <source>Try another machine</source>
        <translation>试试另一台机器</translation>
    </message>
    <message>
        <source>Add devices, disable operations, change memory and layers. The schedule is updated immediately; Ctrl+Z undoes a change.</source>
        <translation>添加设备、去掉运算、更改内存和层。调度立即跟随；Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Save timeline</source>
        <translation>保存时间线</translation>
    </message>
    <message>
        <source>Timeline saved: %1</source>
        <translation>时间线已保存：%1</translation>
    </message>
    <message>
        <source>Trace-event JSON (*.trace.json)</source>
        <translation>跟踪事件 JSON (*.trace.json)</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>High memory use</source>
        <translation>需要大量内存</translation>
    </message>
    <message>
        <source>A damaged or malicious file can exhaust this computer&apos;s memory.</source>
        <translation>损坏或恶意的文件可能耗尽本机内存。</translation>
    </message>
    <message>
        <source>Open anyway</source>
        <translation>仍然打开</translation>
    </message>
    <message>
        <source>Glossary, starting with the term of the focused panel</source>
        <translation>领域用语的含义，先列正在使用的面板的用语</translation>
    </message>
    <message>
        <source>Export the &amp;table …</source>
        <translation>导出表格(&amp;T) …</translation>
    </message>
    <message>
        <source>Save the focused table as CSV, as sorted and filtered</source>
        <translation>将正在使用的表格按其排序和筛选保存为 CSV</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Table saved: %1</source>
        <translation>表格已保存：%1</translation>
    </message>
    <message>
        <source>Open a &amp;machine …</source>
        <translation>打开机器(&amp;M)…</translation>
    </message>
    <message>
        <source>Replace the machine with one from a file (.machine.json)</source>
        <translation>用文件（.machine.json）中的机器替换</translation>
    </message>
    <message>
        <source>Sa&amp;ve the machine …</source>
        <translation>保存机器(&amp;V)…</translation>
    </message>
    <message>
        <source>Save the machine with known facts about its devices</source>
        <translation>把机器及其设备的已知信息写入文件</translation>
    </message>
    <message>
        <source>User &amp;guide</source>
        <translation>用户指南(&amp;G)</translation>
    </message>
    <message>
        <source>Open the user guide</source>
        <translation>打开用户指南</translation>
    </message>
    <message>
        <source>Machines (*.machine.json);;All files (*)</source>
        <translation>机器 (*.machine.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a machine</source>
        <translation>打开机器</translation>
    </message>
    <message>
        <source>Save the machine</source>
        <translation>保存机器</translation>
    </message>
    <message>
        <source>Machine saved: %1</source>
        <translation>机器已保存：%1</translation>
    </message>
    <message>
        <source>%1 is now the machine for the next model</source>
        <translation>下一个模型使用机器 %1</translation>
    </message>
    <message>
        <source>The simulated one</source>
        <translation>模拟的机器</translation>
    </message>
    <message>
        <source>Capturing the program&apos;s graphs</source>
        <translation>正在捕获程序的图</translation>
    </message>
    <message>
        <source>Capture graphs from &amp;llama.cpp …</source>
        <translation>从 &amp;llama.cpp 捕获图 …</translation>
    </message>
    <message>
        <source>Architecture not built in</source>
        <translation>架构未内置</translation>
    </message>
    <message>
        <source>Its graphs can be recorded with your own llama.cpp, which is run until it has scheduled them.</source>
        <translation>可以从您自己的 llama.cpp 取得它的图：运行它，直到图已被调度。</translation>
    </message>
    <message>
        <source>Capture from llama.cpp …</source>
        <translation>从 llama.cpp 捕获 …</translation>
    </message>
    <message>
        <source>Graphs captured: %1</source>
        <translation>已捕获图：%1</translation>
    </message>
    <message>
        <source>Program under the debugger</source>
        <translation>调试中的程序</translation>
    </message>
    <message>
        <source>%1 is still running.</source>
        <translation>%1 仍在运行。</translation>
    </message>
    <message>
        <source>End the program</source>
        <translation>结束程序</translation>
    </message>
    <message>
        <source>Record the graphs of a model with your own llama.cpp, including architectures that are not built in</source>
        <translation>用您自己的 llama.cpp 记录模型的图，包括未内置的架构</translation>
    </message>
    <message>
        <source>The program can continue without the debugger.</source>
        <translation>它可以脱离调试器继续运行。</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>脱离</translation>
    </message>
    <message>
        <source>Whether the model fits, what runs where, splits, bytes copied, and CPU fallbacks. Each phrase is a link.</source>
        <translation>模型是否容纳得下、什么在何处运行、分段、复制的字节数以及回退到 CPU 的运算。每个短语都是链接。</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MemoryBars</name>
    <message>
        <source>Memory per backend</source>
        <translation>各后端的内存</translation>
    </message>
    <message>
        <source>%1 of %2 · %3 short</source>
        <translation>%1，共 %2 · 超出 %3</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MemoryMap</name>
    <message>
        <source>Memory map</source>
        <translation>内存图</translation>
    </message>
    <message>
        <source>offset over node index · %1 lifetimes</source>
        <translation>偏移与节点序号 · %1 个生存期</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2 at offset %3&lt;br&gt;nodes %4 to %5%6</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2，位于偏移 %3&lt;br&gt;节点 %4 到 %5%6</translation>
    </message>
    <message>
        <source> · reuses a source&apos;s memory</source>
        <translation> · 复用了源的内存</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MemoryTableModel</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>This is %1 more than the device has free.</source>
        <translation>比设备的空闲内存多 %1。</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>The backend that owns the memory</source>
        <translation>内存所属的后端</translation>
    </message>
    <message>
        <source>Model weights placed in its memory</source>
        <translation>放在其内存中的模型权重</translation>
    </message>
    <message>
        <source>KV cache: keys and values of the tokens so far</source>
        <translation>KV 缓存：到目前为止各词元的键和值</translation>
    </message>
    <message>
        <source>Sum of weights, cache, compute and output</source>
        <translation>权重、缓存、计算和结果之和</translation>
    </message>
    <message>
        <source>Free memory of the device, as set under Machine</source>
        <translation>设备的空闲内存，以“机器”中的为准</translation>
    </message>
    <message>
        <source>Compute buffer: results that live only while a graph runs; for a model, the larger of the prompt graph&apos;s and the one-token graph&apos;s</source>
        <translation>计算缓冲区：仅在图运行期间存在的结果；对模型取提示图与单词元图中较大者</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Output buffer: logits and embeddings on the host</source>
        <translation>输出缓冲区：主机保留的 logits 和嵌入</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Minimap</name>
    <message>
        <source>The whole graph; click to navigate</source>
        <translation>整个图；单击可前往</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>小地图</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::NodeErrorChart</name>
    <message>
        <source>Error of each node</source>
        <translation>每个节点的误差</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation>NMSE</translation>
    </message>
    <message>
        <source>first: %1</source>
        <translation>首个：%1</translation>
    </message>
    <message>
        <source>%1 (%2)
not run on %3</source>
        <translation>%1 (%2)
未在 %3 上运行</translation>
    </message>
    <message>
        <source>%1 (%2)
NMSE %3, tolerance %4
largest difference %5, %6 of %7 values differ</source>
        <translation>%1 (%2)
NMSE %3，容差 %4
最大差 %5，%7 个值中有 %6 个不同</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::NodeErrorTable</name>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 does not support this operation</source>
        <translation>%1 不接受此运算</translation>
    </message>
    <message>
        <source>The reference rounds activations; %1 is within tolerance of the exact product</source>
        <translation>参考方对激活值取整；%1 与精确乘积之差在容差之内</translation>
    </message>
    <message>
        <source>Not checked: its operands already differ</source>
        <translation>未判定：其操作数已有差异</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation>NMSE</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大差</translation>
    </message>
    <message>
        <source>Differ</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Position in execution order</source>
        <translation>执行次序中的位置</translation>
    </message>
    <message>
        <source>Name of the node</source>
        <translation>节点名称</translation>
    </message>
    <message>
        <source>Operation of the node</source>
        <translation>节点的运算</translation>
    </message>
    <message>
        <source>Normalised mean squared error: the sum of squared differences over the sum of squared reference values</source>
        <translation>归一化均方误差：差的平方和除以参考值的平方和</translation>
    </message>
    <message>
        <source>The NMSE by which a correct implementation may differ</source>
        <translation>正确的实现可以有的最大 NMSE</translation>
    </message>
    <message>
        <source>Largest difference of two values</source>
        <translation>两个值之间的最大差</translation>
    </message>
    <message>
        <source>Number of different values</source>
        <translation>有多少个值不相同</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::NodeHeat</name>
    <message>
        <source>Bytes written by each node: 0 to %1</source>
        <translation>各节点写入的字节：0 到 %1</translation>
    </message>
    <message>
        <source>No times yet: run the model with F5</source>
        <translation>尚无时间：按 F5 运行模型</translation>
    </message>
    <message>
        <source>Time of each node, estimated: 0 to %1</source>
        <translation>各节点的时间（估计）：0 到 %1</translation>
    </message>
    <message>
        <source>Time of each node: 0 to %1</source>
        <translation>各节点的时间：0 到 %1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::NodeMenu</name>
    <message>
        <source>&amp;Keep %1 on</source>
        <translation>将 %1 保留在(&amp;K)</translation>
    </message>
    <message>
        <source>Keep %1 on %2</source>
        <translation>将 %1 保留在 %2</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::NodeTableModel</name>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Position in execution order</source>
        <translation>执行次序中的位置</translation>
    </message>
    <message>
        <source>Name of the tensor the node writes</source>
        <translation>节点所写张量的名称</translation>
    </message>
    <message>
        <source>Operation that computes the node</source>
        <translation>计算该节点的运算</translation>
    </message>
    <message>
        <source>Element type of the result</source>
        <translation>结果的元素类型</translation>
    </message>
    <message>
        <source>Elements per dimension, innermost first</source>
        <translation>各维度的元素数，最内层在前</translation>
    </message>
    <message>
        <source>Size of the result</source>
        <translation>结果的大小</translation>
    </message>
    <message>
        <source>Backend of the node at the current decision</source>
        <translation>到目前为止的决策中节点运行的地方</translation>
    </message>
    <message>
        <source>Label of the decision that chose it</source>
        <translation>将它放在那里的决策的标签</translation>
    </message>
    <message>
        <source>The node&apos;s split: consecutive nodes on one backend</source>
        <translation>节点所属的分段：同一后端上的一串节点</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>The layer (block of the model) that the node belongs to</source>
        <translation>节点所属的层（模型的块）</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::NodesPanel</name>
    <message>
        <source>Filter by name or operation</source>
        <translation>按名称或运算筛选</translation>
    </message>
    <message>
        <source>Only nodes that run on this backend at the current decision</source>
        <translation>仅在当前决策处运行于此后端的节点</translation>
    </message>
    <message>
        <source>View operations</source>
        <translation>视图运算</translation>
    </message>
    <message>
        <source>VIEW, RESHAPE, PERMUTE and TRANSPOSE: they compute nothing</source>
        <translation>VIEW、RESHAPE、PERMUTE 和 TRANSPOSE：不计算任何东西</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>All backends</source>
        <translation>所有后端</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%2 个节点中的 %1 个</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Only nodes of this operation</source>
        <translation>仅此运算的节点</translation>
    </message>
    <message>
        <source>All operations</source>
        <translation>所有运算</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::OverrideTableModel</name>
    <message>
        <source>%1, %2 shadowed</source>
        <translation>%1，%2 个被遮蔽</translation>
    </message>
    <message>
        <source>Places %1 tensors. %2 more match, but rule %3 comes first and has placed them.</source>
        <translation>放置 %1 个张量。另有 %2 个匹配，但规则 %3 在前，已经放置了它们。</translation>
    </message>
    <message>
        <source>No tensor of the model matches.</source>
        <translation>模型中没有匹配的张量。</translation>
    </message>
    <message>
        <source>Places %1 tensors.</source>
        <translation>放置 %1 个张量。</translation>
    </message>
    <message>
        <source>From another switch: %1</source>
        <translation>由另一个开关产生：%1</translation>
    </message>
    <message>
        <source>Regular expression that matches anywhere in a tensor&apos;s name</source>
        <translation>正则表达式，在张量的整个名称中查找</translation>
    </message>
    <message>
        <source>Buffer type for the weights</source>
        <translation>权重被放入的内存</translation>
    </message>
    <message>
        <source>Weights matching</source>
        <translation>匹配的权重</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>放到</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量数</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::PassScrubber</name>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>各轮</translation>
    </message>
    <message>
        <source>No passes yet</source>
        <translation>还没有轮</translation>
    </message>
    <message>
        <source>&lt;b&gt;Pass %1&lt;/b&gt; · %2 decisions&lt;br&gt;%3</source>
        <translation>&lt;b&gt;第 %1 轮&lt;/b&gt; · %2 个决策&lt;br&gt;%3</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::PlacementEditor</name>
    <message>
        <source>Counting matches</source>
        <translation>正在统计匹配</translation>
    </message>
    <message>
        <source>Weight placement</source>
        <translation>权重放在哪里</translation>
    </message>
    <message>
        <source>Layers on the accelerators</source>
        <translation>加速器上的层</translation>
    </message>
    <message>
        <source>Layers with weights on accelerators; the output layer counts as one</source>
        <translation>权重在加速器上的层数；输出层算一层</translation>
    </message>
    <message>
        <source>whole layers</source>
        <translation>整层</translation>
    </message>
    <message>
        <source>rows, planned as layers</source>
        <translation>按行（按整层规划）</translation>
    </message>
    <message>
        <source>one device only</source>
        <translation>仅一个设备</translation>
    </message>
    <message>
        <source>How weights are divided between several accelerators</source>
        <translation>权重如何分给几个加速器</translation>
    </message>
    <message>
        <source>by free memory; e.g. 3,1</source>
        <translation>按空闲内存；例如 3,1</translation>
    </message>
    <message>
        <source>Shares of the accelerators in their order, separated by commas</source>
        <translation>各加速器的份额，依次以逗号分隔</translation>
    </message>
    <message>
        <source>The accelerator to use if only one is used</source>
        <translation>只用一个加速器时承担一切的那个</translation>
    </message>
    <message>
        <source>Experts are alternative parts of a mixture-of-experts model, of which each token uses a few: large, but rarely used</source>
        <translation>专家是混合专家模型的组成部分，每个词元只用其中几个：很大，但很少参与计算</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Number of leading layers whose experts stay on the CPU</source>
        <translation>前若干层的专家留在 CPU 上</translation>
    </message>
    <message>
        <source>KV cache on the devices of its layers</source>
        <translation>KV 缓存与其层放在一起</translation>
    </message>
    <message>
        <source>The KV cache holds keys and values of all tokens so far. If disabled, it stays on the CPU</source>
        <translation>KV 缓存存放到目前为止各词元的键和值。不选时它留在 CPU 上</translation>
    </message>
    <message>
        <source>Map CPU weights from the file instead of copying them</source>
        <translation>CPU 的权重从文件映射，而不是复制</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>Divide by</source>
        <translation>划分方式</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>Main device</source>
        <translation>主设备</translation>
    </message>
    <message>
        <source>CPU experts</source>
        <translation>CPU 专家</translation>
    </message>
    <message>
        <source>Override rules, first match wins</source>
        <translation>覆盖规则，第一条匹配的起作用</translation>
    </message>
    <message>
        <source>Override rules; the first match wins</source>
        <translation>覆盖规则，第一条匹配的起作用</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add a rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>Add a rule for the selected weights, else for all experts</source>
        <translation>针对所选权重，否则针对所有专家；之后再编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the rule</source>
        <translation>移除规则</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move the rule up</source>
        <translation>上移规则</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move the rule down</source>
        <translation>下移规则</translation>
    </message>
    <message>
        <source>division</source>
        <translation>划分方式</translation>
    </message>
    <message>
        <source>shares</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>main device</source>
        <translation>主设备</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>layers with CPU experts</source>
        <translation>专家在 CPU 上的层</translation>
    </message>
    <message>
        <source>place of the KV cache</source>
        <translation>KV 缓存的位置</translation>
    </message>
    <message>
        <source>mapping of weights</source>
        <translation>权重的映射</translation>
    </message>
    <message>
        <source>override rule</source>
        <translation>覆盖规则</translation>
    </message>
    <message>
        <source>override rules: add</source>
        <translation>覆盖规则：添加</translation>
    </message>
    <message>
        <source>override rules: remove</source>
        <translation>覆盖规则：移除</translation>
    </message>
    <message>
        <source>order of the override rules</source>
        <translation>覆盖规则的次序</translation>
    </message>
    <message>
        <source>Pipelining is on: %1</source>
        <translation>流水线开启：%1</translation>
    </message>
    <message>
        <source>Pipelining is off: %1</source>
        <translation>流水线关闭：%1</translation>
    </message>
    <message>
        <source>all experts on the CPU</source>
        <translation>所有专家在 CPU 上</translation>
    </message>
    <message>
        <source>map CPU weights</source>
        <translation>映射 CPU 权重</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::PlacementSearch</name>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1: %2 short</source>
        <translation>%1：缺少 %2</translation>
    </message>
    <message>
        <source>%1: %2 left</source>
        <translation>%1：剩余 %2</translation>
    </message>
    <message>
        <source>Finding the best placement</source>
        <translation>正在寻找最佳放置</translation>
    </message>
    <message>
        <source>Find the best placement</source>
        <translation>寻找最佳放置</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply this placement; Ctrl+Z undoes it</source>
        <translation>这样放置模型；Ctrl+Z 撤销</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>搜索进度</translation>
    </message>
    <message>
        <source>Result of the search</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Place as found</source>
        <translation>按搜索结果放置</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>Generates</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Reads prompts</source>
        <translation>读取提示</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>The best of %1 placements tried; a better one may exist.</source>
        <translation>这是尝试过的 %1 种放置中最好的；可能还有更好的。</translation>
    </message>
    <message>
        <source>No other placement is possible.</source>
        <translation>没有其他可能的放置。</translation>
    </message>
    <message>
        <source>Search layers, their division, experts, caches and op offload for the fastest placement that fits; context, micro-batch and cache types are kept</source>
        <translation>在层、层的分配、专家、缓存和运算卸载中搜索放得下的最快放置；上下文、微批次和缓存类型保持不变</translation>
    </message>
    <message>
        <source>The current placement is already the best found.</source>
        <translation>当前放置已是找到的最佳放置。</translation>
    </message>
    <message>
        <source>%1 placements, all planned.</source>
        <translation>%1 种放置，全部规划过。</translation>
    </message>
    <message>
        <source>%1 placements, %2 planned, the others ruled out by their bounds.</source>
        <translation>%1 种放置，规划了 %2 种，其余由界限排除。</translation>
    </message>
    <message>
        <source>%1&amp;nbsp;% of each device&apos;s memory is kept free. Context, micro-batch and cache types are not searched.</source>
        <translation>每个设备的内存保留 %1&amp;nbsp;% 空闲。不搜索上下文、微批次和缓存类型。</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ProfilePanel</name>
    <message>
        <source>Summing times</source>
        <translation>正在汇总时间</translation>
    </message>
    <message>
        <source>By operation</source>
        <translation>按运算</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>By backend</source>
        <translation>按后端</translation>
    </message>
    <message>
        <source>By split</source>
        <translation>按分段</translation>
    </message>
    <message>
        <source>By node</source>
        <translation>按节点</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>How rows are grouped</source>
        <translation>每一行汇总什么</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No run yet&lt;/h3&gt;Run the model with F5 to see where its time goes.</source>
        <translation>&lt;h3&gt;还没有运行&lt;/h3&gt;按 F5 运行模型，看时间花在哪里。</translation>
    </message>
    <message>
        <source>The prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>The last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>%1. Nodes were computed together, and their shares are estimated by FLOPs; “Time every node” measures them.</source>
        <translation>%1。节点是一起计算的：各自的份额按运算量估计；“为每个节点计时”可以实测。</translation>
    </message>
    <message>
        <source>%1, every node timed separately.</source>
        <translation>%1，每个节点单独计时。</translation>
    </message>
    <message>
        <source>Last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>All tokens, average</source>
        <translation>所有词元的平均</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Part of the run</source>
        <translation>运行的部分</translation>
    </message>
    <message>
        <source>%1 tokens, on average; the slowest, token %2, took %3</source>
        <translation>%1 个词元的平均；最慢的是第 %2 个，用时 %3</translation>
    </message>
    <message>
        <source>Flame view</source>
        <translation>火焰图</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ProfileTable</name>
    <message>
        <source>split %1</source>
        <translation>分段 %1</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>copies between backends</source>
        <translation>后端之间的复制</translation>
    </message>
    <message>
        <source>outside the layers</source>
        <translation>各层之外</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>several</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>%1 copied</source>
        <translation>已复制 %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>Slowest node</source>
        <translation>最慢的节点</translation>
    </message>
    <message>
        <source>Nodes computed; view operations compute nothing</source>
        <translation>计算的节点；视图运算不计算</translation>
    </message>
    <message>
        <source>Computing time of the backends</source>
        <translation>后端计算所用的时间</translation>
    </message>
    <message>
        <source>Time of copies between backends, of waits, and between nodes</source>
        <translation>后端之间复制、等待以及节点之间的时间</translation>
    </message>
    <message>
        <source>between nodes</source>
        <translation>节点之间</translation>
    </message>
    <message>
        <source>Of the sum of all times</source>
        <translation>占所有时间之和</translation>
    </message>
    <message>
        <source>Weights, inputs and results that nodes read and write, in bytes per nanosecond of computing; only if every node was timed</source>
        <translation>节点读写的权重、输入和结果，以计算每纳秒的字节数表示；仅在逐个节点计时时显示</translation>
    </message>
    <message>
        <source>Floating-point operations per nanosecond: multiply and add count as two</source>
        <translation>每纳秒的浮点运算数：乘与加各算一次</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::RecoveryBar</name>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>The changes could not be restored: %1</source>
        <translation>无法恢复更改：%1</translation>
    </message>
    <message>
        <source>Splitscope ended unexpectedly. Changes to %1 from %2 can be restored.</source>
        <translation>Splitscope 意外结束。%2 中的 %1 的更改已保留。</translation>
    </message>
    <message>
        <source>a session</source>
        <translation>一个会话</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ReportDialog</name>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Web page (HTML)</source>
        <translation>网页 (HTML)</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Tables (CSV)</source>
        <translation>表格 (CSV)</translation>
    </message>
    <message>
        <source>Timeline (trace events)</source>
        <translation>时间线（跟踪事件）</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>no other scheduler</source>
        <translation>没有其他调度器</translation>
    </message>
    <message>
        <source>scheduler %1</source>
        <translation>调度器 %1</translation>
    </message>
    <message>
        <source>Include the file&apos;s path</source>
        <translation>显示文件所在位置</translation>
    </message>
    <message>
        <source>The full path in &quot;Provenance&quot; instead of the file&apos;s name</source>
        <translation>“如何得到”中写出完整路径；不选时只写文件名</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>No run yet; start one in the Run panel</source>
        <translation>没有运行；请在“运行”面板中开始</translation>
    </message>
    <message>
        <source>&amp;Save …</source>
        <translation>保存(&amp;S) …</translation>
    </message>
    <message>
        <source>Collecting …</source>
        <translation>正在收集 …</translation>
    </message>
    <message>
        <source>Preview with the first %1 rows of each table</source>
        <translation>预览每个表格的前 %1 行</translation>
    </message>
    <message>
        <source>Beginning, with the first %1 rows of each table</source>
        <translation>开头，每个表格的前 %1 行</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::RunControl</name>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Writing the values</source>
        <translation>正在写入值</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Not running. F5 runs, F7 pauses before the first node.</source>
        <translation>未运行。F5 运行，F7 停在第一个节点之前。</translation>
    </message>
    <message>
        <source>Running …</source>
        <translation>正在运行 …</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>正在停止 …</translation>
    </message>
    <message>
        <source>the prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>&lt;b&gt;Before the first node&lt;/b&gt; of %1</source>
        <translation>%1的&lt;b&gt;第一个节点之前&lt;/b&gt;</translation>
    </message>
    <message>
        <source>breakpoint</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>ran to here</source>
        <translation>运行到此处</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步进</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; (%2) · %5: %3 of %4 nodes computed&lt;br&gt;split %6 on %7 · %8</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;（%2）· %5：已计算 %4 个节点中的 %3 个&lt;br&gt;分段 %6，在 %7 上 · %8</translation>
    </message>
    <message>
        <source>graph %1</source>
        <translation>图 %1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::RunPanel</name>
    <message>
        <source>Detecting devices</source>
        <translation>正在检测设备</translation>
    </message>
    <message>
        <source>Once upon a time</source>
        <translation>Once upon a time</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>运行状态</translation>
    </message>
    <message>
        <source>The model&apos;s text appears here</source>
        <translation>模型的文本显示在这里</translation>
    </message>
    <message>
        <source>Generated text</source>
        <translation>生成的文本</translation>
    </message>
    <message>
        <source>Notes about the run and messages of its backends</source>
        <translation>运行的说明和后端的消息</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Breakpoints (%1)</source>
        <translation>断点 (%1)</translation>
    </message>
    <message>
        <source>Maximum number of tokens to generate. A token is a word or part of a word</source>
        <translation>最多生成多少个词元。词元是一小段文本：一个词或其中一部分</translation>
    </message>
    <message>
        <source>0 always selects the most likely token; higher values are more random</source>
        <translation>0 总是取最可能的词元；较大的值选择更自由</translation>
    </message>
    <message>
        <source>The same seed gives the same text</source>
        <translation>相同的种子得到相同的文本</translation>
    </message>
    <message>
        <source>The devices that compute the model. A change edits the session&apos;s machine and can be undone. The CPU computes for simulated devices, with separate memory, so that all copies are real</source>
        <translation>由什么计算模型。另选会改变会话的机器，可以撤销。模拟设备由 CPU 用各自的内存计算，所以所有复制都是真实的</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Time every node</source>
        <translation>为每个节点计时</translation>
    </message>
    <message>
        <source>Measure the time of each node for timeline and profile. Runs are a little slower, on GPUs much slower</source>
        <translation>单独计算每个节点，使时间线和性能知道其用时。不选时运行略快，在显卡上快得多</translation>
    </message>
    <message>
        <source>Fuse nodes</source>
        <translation>融合节点</translation>
    </message>
    <message>
        <source>Let devices compute several nodes with one kernel. A result that changes when this is off comes from a fused kernel. Nothing is fused while nodes are timed or a breakpoint may stop the run</source>
        <translation>允许设备用一个内核计算多个节点。若不选时结果改变，差异来自融合内核。节点计时或可能停在断点时不会融合</translation>
    </message>
    <message>
        <source>%1. Its messages are listed under Messages</source>
        <translation>%1。结果列在“消息”中</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Open a model to run it.</source>
        <translation>打开模型以运行。</translation>
    </message>
    <message>
        <source>This cannot be run: %1</source>
        <translation>无法运行：%1</translation>
    </message>
    <message>
        <source>CPU alone</source>
        <translation>仅 CPU</translation>
    </message>
    <message>
        <source>Devices of this computer</source>
        <translation>这台计算机的设备</translation>
    </message>
    <message>
        <source>Change the backends</source>
        <translation>更改后端</translation>
    </message>
    <message>
        <source>Reading the prompt …</source>
        <translation>正在读取提示 …</translation>
    </message>
    <message>
        <source>Messages (%1)</source>
        <translation>消息 (%1)</translation>
    </message>
    <message>
        <source>&lt;b&gt;The run failed:&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;运行失败：&lt;/b&gt;%1</translation>
    </message>
    <message>
        <source>&lt;br&gt;Try this: %1.</source>
        <translation>&lt;br&gt;试试：%1。</translation>
    </message>
    <message>
        <source>&lt;br&gt;&lt;a href=&quot;node&quot;&gt;Show the node&lt;/a&gt;</source>
        <translation>&lt;br&gt;&lt;a href=&quot;node&quot;&gt;显示该节点&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Stopped · </source>
        <translation>已停止 · </translation>
    </message>
    <message>
        <source>Text, breakpoints and messages</source>
        <translation>文本、断点和消息</translation>
    </message>
    <message>
        <source>No breakpoint: %1 computes nothing, and no node reads it</source>
        <translation>未设断点：%1 不计算任何东西，也没有节点读取它</translation>
    </message>
    <message>
        <source>%1 computes nothing: runs stop at %2, the first node that reads it</source>
        <translation>%1 不计算任何东西：运行在 %2 停下，它是第一个读取它的节点</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run the schedule and generate text, or continue</source>
        <translation>运行调度并生成文本，或继续</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Pause after the current node</source>
        <translation>在正在计算的节点之后停住</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Stop the run; keep the text so far</source>
        <translation>停止运行；已有的文本保留</translation>
    </message>
    <message>
        <source>Step a &amp;node</source>
        <translation>步进一个节点(&amp;N)</translation>
    </message>
    <message>
        <source>Compute one node and pause again; F10 during a run</source>
        <translation>计算一个节点后再停住；运行期间用 F10</translation>
    </message>
    <message>
        <source>Step a &amp;split</source>
        <translation>步进一个分段(&amp;S)</translation>
    </message>
    <message>
        <source>Compute up to the end of the split; F11 during a run</source>
        <translation>计算到分段末尾：同一后端上的一串节点；运行期间用 F11</translation>
    </message>
    <message>
        <source>Run to &amp;here</source>
        <translation>运行到此处(&amp;H)</translation>
    </message>
    <message>
        <source>Run &amp;again from here</source>
        <translation>从此处重新运行(&amp;A)</translation>
    </message>
    <message>
        <source>Compute this token again and pause at the selected node; edited values are kept</source>
        <translation>再次计算这个词元并停在所选节点，所有编辑过的值都有效</translation>
    </message>
    <message>
        <source>&amp;Breakpoint on the selected node</source>
        <translation>所选节点上的断点(&amp;B)</translation>
    </message>
    <message>
        <source>Set or delete a breakpoint on the selected node</source>
        <translation>在所选节点上设置或删除断点</translation>
    </message>
    <message>
        <source>Breakpoint on this &amp;operation</source>
        <translation>此运算上的断点(&amp;O)</translation>
    </message>
    <message>
        <source>Stop at every node with the selected node&apos;s operation</source>
        <translation>在每个与所选节点运算相同的节点停下</translation>
    </message>
    <message>
        <source>&amp;Breakpoints …</source>
        <translation>断点(&amp;B) …</translation>
    </message>
    <message>
        <source>List, add and change breakpoints</source>
        <translation>列出、添加和更改断点</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>Run or continue until the selected node has been computed</source>
        <translation>运行或继续，直到所选节点计算完成</translation>
    </message>
    <message>
        <source>This run uses the graph before the last change; the next one uses the new graph.</source>
        <translation>此运行属于上次更改之前的图；下一次运行将使用新图。</translation>
    </message>
    <message>
        <source>Text, timeline and profile are from a run before the last change. F5 runs the new graph.</source>
        <translation>文本、时间线和剖析属于上次更改之前的运行。按 F5 运行新图。</translation>
    </message>
    <message>
        <source>&amp;Verify the schedule …</source>
        <translation>核对调度(&amp;V)…</translation>
    </message>
    <message>
        <source>Compare the schedule with that of the devices&apos; own scheduler</source>
        <translation>将调度与设备自带调度器的结果比较</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1 · %2 tokens/s</source>
        <translation>%1 · %2 词元/秒</translation>
    </message>
    <message>
        <source>%1%2 · prompt of %3 at %4 tokens/s · generated at %5 tokens/s</source>
        <translation>%1%2 · 提示 %3，每秒 %4 个词元 · 生成每秒 %5 个词元</translation>
    </message>
    <message>
        <source>the graph of 1 token (%1)</source>
        <translation>1 个词元的图（%1）</translation>
    </message>
    <message>
        <source>the graph of %1 tokens, one per sequence (%2)</source>
        <translation>%1 个词元的图，每个序列一个（%2）</translation>
    </message>
    <message>
        <source>the graph of a prompt of %1 tokens (%2)</source>
        <translation>%1 个词元的提示的图（%2）</translation>
    </message>
    <message>
        <source>Graph of the run</source>
        <translation>运行的图</translation>
    </message>
    <message>
        <source>Paused in %1; the other views show %2.</source>
        <translation>暂停于%1；其他视图显示%2。</translation>
    </message>
    <message>
        <source>Show the graph of a prompt</source>
        <translation>显示提示的图</translation>
    </message>
    <message>
        <source>Show the graph of a token</source>
        <translation>显示词元的图</translation>
    </message>
    <message>
        <source>Change the graph</source>
        <translation>更改图</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::RunTimeline</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>split %1</source>
        <translation>分段 %1</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>copies in</source>
        <translation>复制入</translation>
    </message>
    <message>
        <source>%1 after the start · %2 % of the run</source>
        <translation>开始后 %1 · 占运行的 %2 %</translation>
    </message>
    <message>
        <source>split %1 on %2: %3, %4 nodes
%5</source>
        <translation>分段 %1 在 %2 上：%3，%4 个节点
%5</translation>
    </message>
    <message>
        <source>split %1 waits: %2
%3</source>
        <translation>分段 %1 等待：%2
%3</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>%1 copied to %2 for split %3
%4 in %5 · %6
%7</source>
        <translation>%1 复制到 %2，供分段 %3 使用
%4，用时 %5 · %6
%7</translation>
    </message>
    <message>
        <source>%1 nodes of split %2, up to %3: %4
%5</source>
        <translation>分段 %2 的 %1 个节点，直到 %3：%4
%5</translation>
    </message>
    <message>
        <source>%1: %2
%3 · %4 · split %5 on %6
%7</source>
        <translation>%1：%2
%3 · %4 · 分段 %5 在 %6 上
%7</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>system default</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Language of the interface; applies from the next start</source>
        <translation>窗口的语言，自下次启动起生效</translation>
    </message>
    <message>
        <source>the sample model</source>
        <translation>示例模型</translation>
    </message>
    <message>
        <source>the last opened file</source>
        <translation>上次打开的内容</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>from the file, else the default</source>
        <translation>按文件所述，否则用通常的</translation>
    </message>
    <message>
        <source>For new sessions; saved sessions keep their own</source>
        <translation>会话保留各自的；这里针对新打开的文件</translation>
    </message>
    <message>
        <source>Lay out with Graphviz</source>
        <translation>用 Graphviz 布局</translation>
    </message>
    <message>
        <source>If disabled, only the quick layout is used, which is always shown first</source>
        <translation>不选时保留快速布局，它总是最先显示</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Show the minimap</source>
        <translation>显示小地图</translation>
    </message>
    <message>
        <source>Ask before discarding changes to a session</source>
        <translation>在丢失会话更改之前询问</translation>
    </message>
    <message>
        <source>Keep unsaved changes in case of a crash</source>
        <translation>保留未保存的更改以防崩溃</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Open at startup</source>
        <translation>启动时打开</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>for at most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SetupBar</name>
    <message>
        <source>Like</source>
        <translation>如同</translation>
    </message>
    <message>
        <source>custom switches</source>
        <translation>自己的开关</translation>
    </message>
    <message>
        <source>Place this model and later ones with the defaults of this program</source>
        <translation>按此程序的默认值放置模型；以后打开的模型也如此</translation>
    </message>
    <message>
        <source>Defaults of</source>
        <translation>默认值来自</translation>
    </message>
    <message>
        <source>Paste switches</source>
        <translation>粘贴开关</translation>
    </message>
    <message>
        <source>Place the model with the command line in the clipboard</source>
        <translation>按剪贴板中的命令行放置模型</translation>
    </message>
    <message>
        <source>Place as %1</source>
        <translation>如 %1 那样放置</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>These switches do not affect placement: %1</source>
        <translation>这些开关与放置无关：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as llama.cpp switches</source>
        <translation>复制为 llama.cpp 开关</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste llama.cpp switches</source>
        <translation>粘贴 llama.cpp 开关</translation>
    </message>
    <message>
        <source>Copy as llama.cpp switches: %1</source>
        <translation>复制为 llama.cpp 开关：%1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>&lt;tr&gt;&lt;td colspan=&apos;2&apos; style=&apos;padding-top:12px;color:%1&apos;&gt;&lt;b&gt;In the graph&lt;/b&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;To the first source / reader&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Up / Down&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;To the source / reader beside it&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Left / Right&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;Zoom&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Wheel&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;Pan&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Drag&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;Zoom to a node or split, collapse a layer&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Double click&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;</source>
        <translation>&lt;tr&gt;&lt;td colspan=&apos;2&apos; style=&apos;padding-top:12px;color:%1&apos;&gt;&lt;b&gt;在图中&lt;/b&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;到第一个源 / 读取者&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Up / Down&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;到旁边的源 / 读取者&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;Left / Right&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;缩放&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;滚轮&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;平移&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;拖动&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;td&gt;放大到节点或分段，折叠一层&lt;/td&gt;&lt;td align=&apos;right&apos;&gt;&lt;code&gt;双击&lt;/code&gt;&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;</translation>
    </message>
    <message>
        <source>or</source>
        <translation>或</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SplitTreeModel</name>
    <message>
        <source>Split %1</source>
        <translation>分段 %1</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>复制量</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Consecutive nodes on one backend; below, the tensors copied to it before it runs</source>
        <translation>同一后端上的一串节点；下面是运行前复制进来的张量</translation>
    </message>
    <message>
        <source>The backend that runs the split</source>
        <translation>运行该分段的后端</translation>
    </message>
    <message>
        <source>Nodes of the split that compute</source>
        <translation>分段中进行计算的节点</translation>
    </message>
    <message>
        <source>View operations of the split, which compute nothing</source>
        <translation>分段中的视图运算，不进行计算</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Tensors copied to the split&apos;s backend before it runs</source>
        <translation>运行前复制到分段后端的张量</translation>
    </message>
    <message>
        <source>Bytes copied before the split runs</source>
        <translation>分段运行前复制的字节数</translation>
    </message>
    <message>
        <source>First and last node, or the type and shape of a copied tensor</source>
        <translation>首末节点，或所复制张量的类型和形状</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SplitsPanel</name>
    <message>
        <source>Splits</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Every tensor that is copied between backends, in one list</source>
        <translation>所有在后端之间复制的张量，列在一个表中</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>How much is copied from one backend to another, in all</source>
        <translation>从一个后端到另一个后端总共复制多少</translation>
    </message>
    <message>
        <source>Splits, copies or links</source>
        <translation>分段、复制或链路</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::StandIn</name>
    <message>
        <source>Computed by this computer&apos;s CPU: times are not those of %1.</source>
        <translation>由本机的 CPU 计算：时间不是 %1 的时间。</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::StatusLine</name>
    <message>
        <source>Last result</source>
        <translation>最近的结果</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop running jobs (Esc)</source>
        <translation>停止正在进行的工作 (Esc)</translation>
    </message>
    <message>
        <source>%1: cancelled</source>
        <translation>%1：已取消</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::StepperPanel</name>
    <message>
        <source>Breakpoints on decisions, where playback and steps to a breakpoint stop</source>
        <translation>决策上的断点：播放和运行在那里停下</translation>
    </message>
    <message>
        <source>Add a breakpoint on decisions</source>
        <translation>添加决策断点</translation>
    </message>
    <message>
        <source>Remove a breakpoint on decisions</source>
        <translation>移除决策断点</translation>
    </message>
    <message>
        <source>Stop when %1 is assigned</source>
        <translation>分配 %1 时停下</translation>
    </message>
    <message>
        <source>Stop when the cause is</source>
        <translation>原因为以下时停下</translation>
    </message>
    <message>
        <source>%1   (%2 decisions)</source>
        <translation>%1   （%2 个决策）</translation>
    </message>
    <message>
        <source>Stop when a tensor moves to</source>
        <translation>有东西移到以下时停下</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Toggle a breakpoint on decisions</source>
        <translation>开关决策断点</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>全部移除</translation>
    </message>
    <message>
        <source>Remove the breakpoints on decisions</source>
        <translation>移除决策断点</translation>
    </message>
    <message>
        <source>Stop at …</source>
        <translation>停于 …</translation>
    </message>
    <message>
        <source>Stop at … (%1)</source>
        <translation>停于 … (%1)</translation>
    </message>
    <message>
        <source>No decisions</source>
        <translation>没有决策</translation>
    </message>
    <message>
        <source>Decision %1 of %2</source>
        <translation>决策 %1，共 %2</translation>
    </message>
    <message>
        <source>No decisions yet: the graph as built.</source>
        <translation>尚未决定：图仍是构建时的样子。</translation>
    </message>
    <message>
        <source>This step: %1 decisions, %2; the last in pass %3</source>
        <translation>这一步：%1 个决策，%2；最后一个在第 %3 轮</translation>
    </message>
    <message>
        <source>%1 changed a backend</source>
        <translation>%1 个改变了后端</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>%1 个移动</translation>
    </message>
    <message>
        <source>%1 decisions, %2</source>
        <translation>%1 个决策，%2</translation>
    </message>
    <message>
        <source>Pass %1 · &lt;b&gt;%2&lt;/b&gt;: %3 → &lt;b&gt;%4&lt;/b&gt; · %5 %6</source>
        <translation>第 %1 轮 · &lt;b&gt;%2&lt;/b&gt;：%3 → &lt;b&gt;%4&lt;/b&gt; · %5 %6</translation>
    </message>
    <message>
        <source>To the &amp;start</source>
        <translation>到起点(&amp;S)</translation>
    </message>
    <message>
        <source>Before the first decision</source>
        <translation>第一个决策之前</translation>
    </message>
    <message>
        <source>Back one p&amp;ass</source>
        <translation>后退一轮(&amp;A)</translation>
    </message>
    <message>
        <source>To the end of the previous pass</source>
        <translation>到上一轮的末尾</translation>
    </message>
    <message>
        <source>&amp;Back one decision</source>
        <translation>后退一个决策(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Play the decisions, or pause</source>
        <translation>依次播放各决策，或暂停</translation>
    </message>
    <message>
        <source>&amp;Forward one decision</source>
        <translation>前进一个决策(&amp;F)</translation>
    </message>
    <message>
        <source>Forward one &amp;pass</source>
        <translation>前进一轮(&amp;P)</translation>
    </message>
    <message>
        <source>To the end of this pass, or of the next</source>
        <translation>到这一轮或下一轮的末尾</translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation>到终点(&amp;E)</translation>
    </message>
    <message>
        <source>After the last decision</source>
        <translation>最后一个决策之后</translation>
    </message>
    <message>
        <source>To the tensor&apos;s pr&amp;evious decision</source>
        <translation>回到该张量的上一个决策(&amp;E)</translation>
    </message>
    <message>
        <source>To the previous decision on the selected tensor</source>
        <translation>到所选张量的上一个决策</translation>
    </message>
    <message>
        <source>To the tensor&apos;s &amp;next decision</source>
        <translation>到该张量的下一个决策(&amp;N)</translation>
    </message>
    <message>
        <source>To the next decision on the selected tensor</source>
        <translation>到所选张量的下一个决策</translation>
    </message>
    <message>
        <source>R&amp;un to the next breakpoint</source>
        <translation>运行到下一个断点(&amp;U)</translation>
    </message>
    <message>
        <source>To the next decision that matches a breakpoint</source>
        <translation>到断点所等待的下一个决策</translation>
    </message>
    <message>
        <source>No later decision matches a breakpoint</source>
        <translation>此后没有遇到断点</translation>
    </message>
    <message>
        <source>Run bac&amp;k to the previous breakpoint</source>
        <translation>退回到上一个断点(&amp;K)</translation>
    </message>
    <message>
        <source>No earlier decision matches a breakpoint</source>
        <translation>此前没有遇到断点</translation>
    </message>
    <message>
        <source>Stop when the selected &amp;tensor is assigned</source>
        <translation>分配所选张量时停下(&amp;T)</translation>
    </message>
    <message>
        <source>Playback stops at decisions on this tensor</source>
        <translation>播放在此张量的决策处停下</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SummaryBar</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Splitscope</source>
        <translation>Splitscope</translation>
    </message>
    <message>
        <source>Open a model (GGUF) or a recorded graph (JSON) to see its schedule.</source>
        <translation>打开模型 (GGUF) 或捕获的图 (JSON)，看它如何调度。</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; %2 of %3 nodes, %4&amp;nbsp;% of FLOPs</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; %3 个节点中的 %2 个，%4&amp;nbsp;% 的 FLOPs</translation>
    </message>
    <message>
        <source>&lt;b&gt;1&lt;/b&gt; split</source>
        <translation>&lt;b&gt;1&lt;/b&gt; 个分段</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; splits</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 个分段</translation>
    </message>
    <message>
        <source>nothing copied</source>
        <translation>没有复制</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; of memory</source>
        <translation>内存 &lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;CPU fallback:&lt;/span&gt; &lt;b&gt;%2&lt;/b&gt; ×%3 (%4)</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;CPU 回退：&lt;/span&gt; &lt;b&gt;%2&lt;/b&gt; ×%3 (%4)</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 个发现</translation>
    </message>
    <message>
        <source>%1 findings</source>
        <translation>%1 个发现</translation>
    </message>
    <message>
        <source>Scheduling ended: %1</source>
        <translation>调度结束于：%1</translation>
    </message>
    <message>
        <source>No memory plan: %1</source>
        <translation>没有内存计划：%1</translation>
    </message>
    <message>
        <source>%1 more operations fall back</source>
        <translation>另有 %1 种运算回退</translation>
    </message>
    <message>
        <source>%1 copied per run</source>
        <translation>每次运行复制 %1</translation>
    </message>
    <message>
        <source>%1 copied per token</source>
        <translation>每词元复制 %1</translation>
    </message>
    <message>
        <source>%1 copied per token (%2 for %3 tokens)</source>
        <translation>每词元复制 %1（%3 个词元共 %2）</translation>
    </message>
    <message>
        <source>Not known whether it fits: a graph without its model</source>
        <translation>不知道是否放得下：只有图而没有模型</translation>
    </message>
    <message>
        <source>one graph</source>
        <translation>一个图</translation>
    </message>
    <message>
        <source>shown: graph of 1 token</source>
        <translation>显示：1 个词元的图</translation>
    </message>
    <message>
        <source>shown: graph of a prompt of %1 tokens</source>
        <translation>显示：%1 个词元的提示图</translation>
    </message>
    <message>
        <source>&lt;b style=&apos;color:%1&apos;&gt;differs from the recording&lt;/b&gt;</source>
        <translation>&lt;b style=&apos;color:%1&apos;&gt;决策与记录不同&lt;/b&gt;</translation>
    </message>
    <message>
        <source>killed by signal %1</source>
        <translation>被信号 %1 终止</translation>
    </message>
    <message>
        <source>ended with exit code %1</source>
        <translation>已结束，退出码 %1</translation>
    </message>
    <message>
        <source>continues without the debugger</source>
        <translation>脱离调试器继续运行</translation>
    </message>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>paused before the first node of graph %1</source>
        <translation>停在第 %1 个图的第一个节点之前</translation>
    </message>
    <message>
        <source>paused at %1 (%2), graph %3</source>
        <translation>停在 %1 (%2)，第 %3 个图</translation>
    </message>
    <message>
        <source>simulation failed</source>
        <translation>模拟失败</translation>
    </message>
    <message>
        <source>&lt;b&gt;matches the simulation&lt;/b&gt;</source>
        <translation>&lt;b&gt;调度与模拟相同&lt;/b&gt;</translation>
    </message>
    <message>
        <source>splits differ from the simulation</source>
        <translation>分段与模拟不同</translation>
    </message>
    <message>
        <source>1 tensor on another backend than simulated</source>
        <translation>1 个张量的位置与模拟不同</translation>
    </message>
    <message>
        <source>%1 tensors on other backends than simulated</source>
        <translation>%1 个张量的位置与模拟不同</translation>
    </message>
    <message>
        <source>&lt;b&gt;matches the recording&lt;/b&gt;</source>
        <translation>&lt;b&gt;决策与记录相同&lt;/b&gt;</translation>
    </message>
    <message>
        <source>shown: graph of %1 tokens, one per sequence</source>
        <translation>显示：%1 个词元的图，每个序列一个</translation>
    </message>
    <message>
        <source>shown: graph of a prompt of 1 token</source>
        <translation>显示：1 个词元的提示的图</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::TensorPairDialog</name>
    <message>
        <source>%1 (%2) on both sides</source>
        <translation>%1（%2）的两侧</translation>
    </message>
    <message>
        <source>%1: all %2 values are the same.</source>
        <translation>%1：全部 %2 个值相同。</translation>
    </message>
    <message>
        <source>%1: %2 of %3 values differ, the largest difference is %4 at %5, NMSE %6.</source>
        <translation>%1：%3 个值中有 %2 个不同，最大差异为 %4，位于 %5，NMSE %6。</translation>
    </message>
    <message>
        <source>To the largest difference</source>
        <translation>转到最大差异</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::TensorPanel</name>
    <message>
        <source>Reading values</source>
        <translation>正在读取值</translation>
    </message>
    <message>
        <source>Drawing the heat map</source>
        <translation>正在绘制热图</translation>
    </message>
    <message>
        <source>Comparing values</source>
        <translation>正在比较值</translation>
    </message>
    <message>
        <source>Saving values</source>
        <translation>正在保存值</translation>
    </message>
    <message>
        <source>For all values. Deviation: standard deviation; NaN: not a number</source>
        <translation>针对所有值。标准差：与平均值的标准偏差；NaN：非数</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Elements that differ most</source>
        <translation>差别最大的元素</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>Fixed point</source>
        <translation>定点</translation>
    </message>
    <message>
        <source>Scientific</source>
        <translation>科学记数</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>数字格式</translation>
    </message>
    <message>
        <source>How numbers are written</source>
        <translation>数字的写法</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Digits of each number</source>
        <translation>每个数字的位数</translation>
    </message>
    <message>
        <source>Undo the last edit of a value (Ctrl+Z in the table)</source>
        <translation>撤销对值的上次编辑（表格中 Ctrl+Z）</translation>
    </message>
    <message>
        <source>Redo the edit of a value (Ctrl+Shift+Z in the table)</source>
        <translation>重新编辑（表格中 Ctrl+Shift+Z）</translation>
    </message>
    <message>
        <source>Save the values as .npy or .csv</source>
        <translation>将值保存为 .npy 或 .csv</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大差</translation>
    </message>
    <message>
        <source>The tensor to compare with</source>
        <translation>来自比较对象的同一张量</translation>
    </message>
    <message>
        <source>Values minus reference</source>
        <translation>值减去参考</translation>
    </message>
    <message>
        <source>Elements with the largest differences; double-click to show one in the table</source>
        <translation>差别最大的元素；双击在表格中显示</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>Source of the tensor to compare with. Other backends and the previous run are recomputed up to this node, with the same tokens</source>
        <translation>从哪里取同一张量。其他后端和上一次运行会用相同的词元重新计算到此节点</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Keep these values for later comparisons</source>
        <translation>保留这些值，以便与以后的比较</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No values&lt;/h3&gt;Open a complete model: values are available while it runs.</source>
        <translation>&lt;h3&gt;没有值&lt;/h3&gt;打开完整的模型：运行时才有值。</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No values yet&lt;/h3&gt;Values are shown while a run is paused: press F7 to start a run paused before its first node, set a breakpoint with F9, or pause a run with F6.</source>
        <translation>&lt;h3&gt;还没有值&lt;/h3&gt;运行停住时可以看到值：按 F7 停在第一个节点之前，用 F9 设断点，或用 F6 暂停运行。</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No tensor selected&lt;/h3&gt;Select a node or a weight in the graph or a table.</source>
        <translation>&lt;h3&gt;未选择张量&lt;/h3&gt;在图或表格中选择一个节点或权重。</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No memory&lt;/h3&gt;%1 is not allocated in this run.</source>
        <translation>&lt;h3&gt;没有内存&lt;/h3&gt;%1 在此运行中没有内存。</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No values to show&lt;/h3&gt;Values of type %1 cannot be decoded.</source>
        <translation>&lt;h3&gt;没有可显示的值&lt;/h3&gt;没有东西能读回 %1 类型的值。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>the kept values</source>
        <translation>保留的值</translation>
    </message>
    <message>
        <source>the previous run</source>
        <translation>上一次运行</translation>
    </message>
    <message>
        <source>the CPU alone</source>
        <translation>仅 CPU</translation>
    </message>
    <message>
        <source>%1 with the CPU</source>
        <translation>%1 与 CPU</translation>
    </message>
    <message>
        <source>Only nodes that have been computed can be compared with another run.</source>
        <translation>只有已计算的节点才能与另一次运行比较。</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>正在比较 …</translation>
    </message>
    <message>
        <source>Computing the other run up to this node …</source>
        <translation>正在计算另一次运行直到此节点 …</translation>
    </message>
    <message>
        <source>All %1 values are the same.</source>
        <translation>全部 %1 个值相同。</translation>
    </message>
    <message>
        <source>NMSE %1 · largest difference %2 at %3 · first at %4 · %5 of %6 values differ</source>
        <translation>NMSE %1 · 最大差 %2 在 %3 · 首个在 %4 · %6 个值中有 %5 个不同</translation>
    </message>
    <message>
        <source>NMSE: normalised mean squared error, the sum of squared differences over the sum of squared reference values</source>
        <translation>NMSE：归一化均方误差，差的平方和除以参考值的平方和</translation>
    </message>
    <message>
        <source>Kept. Choose “the kept values” to compare with them.</source>
        <translation>已保留。选择“保留的值”与之比较。</translation>
    </message>
    <message>
        <source>Save values</source>
        <translation>保存值</translation>
    </message>
    <message>
        <source>NumPy array (*.npy);;Comma-separated values (*.csv)</source>
        <translation>NumPy 数组 (*.npy);;逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Inspect the tensor</source>
        <translation>检查张量(&amp;I)</translation>
    </message>
    <message>
        <source>Show the values of the selected tensor</source>
        <translation>显示所选张量的值</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::TensorTable</name>
    <message>
        <source>
reference %1, difference %2</source>
        <translation>
参考 %1，差 %2</translation>
    </message>
    <message>
        <source>Index in dimension %1</source>
        <translation>维度 %1 中的序号</translation>
    </message>
    <message>
        <source>
edited, was %1</source>
        <translation>
已编辑，原值 %1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::TimelinePanel</name>
    <message>
        <source>Last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Part of the run</source>
        <translation>运行的部分</translation>
    </message>
    <message>
        <source>Save as trace …</source>
        <translation>保存为跟踪 …</translation>
    </message>
    <message>
        <source>Save prompt and last token, or those of a program, as trace-event JSON for Perfetto</source>
        <translation>将提示和最后一个词元（或程序的）保存为跟踪事件 JSON，可用 Perfetto 打开</translation>
    </message>
    <message>
        <source>&lt;h3&gt;No run yet&lt;/h3&gt;Run the model with F5: its splits, nodes and copies appear here over time.</source>
        <translation>&lt;h3&gt;还没有运行&lt;/h3&gt;按 F5 运行模型：其分段、节点和复制会按时间显示在这里。</translation>
    </message>
    <message>
        <source>Zoom out (−)</source>
        <translation>缩小 (−)</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大 (+)</translation>
    </message>
    <message>
        <source>Show the whole run (0)</source>
        <translation>显示整个运行 (0)</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 · %4, %5%6</source>
        <translation>%1 · %2 · %3 · %4，%5%6</translation>
    </message>
    <message>
        <source> · stopped early</source>
        <translation> · 提前停止</translation>
    </message>
    <message>
        <source>All tokens, average</source>
        <translation>所有词元的平均</translation>
    </message>
    <message>
        <source>before the last change · </source>
        <translation>上次更改之前 · </translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Tour</name>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ValueComparePage</name>
    <message>
        <source>Looking for devices</source>
        <translation>正在查找设备</translation>
    </message>
    <message>
        <source>Comparing values</source>
        <translation>正在比较值</translation>
    </message>
    <message>
        <source>Errors of the nodes</source>
        <translation>各节点的误差</translation>
    </message>
    <message>
        <source>Computing %1 …</source>
        <translation>正在计算 %1 …</translation>
    </message>
    <message>
        <source>Values to compare</source>
        <translation>要比较的值</translation>
    </message>
    <message>
        <source>The sides to compare, the tested one first</source>
        <translation>比较谁的值，被测的一方在前</translation>
    </message>
    <message>
        <source>12 sample tokens</source>
        <translation>12 个示例词元</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>The prompt; without one, tokens spread over the vocabulary</source>
        <translation>要计算的文本；没有时取自整个词表的词元</translation>
    </message>
    <message>
        <source>Accumulate errors</source>
        <translation>误差累积</translation>
    </message>
    <message>
        <source>Each side continues with its own results, and nodes whose operands already differ are checked from equal operands. Otherwise, the tested device gets the reference&apos;s values as operands of every node, so that errors do not accumulate</source>
        <translation>每一方从自己的结果继续，操作数已有差异的节点按相同的操作数判定。否则被测设备对每个节点都得到参考值，误差只属于该节点</translation>
    </message>
    <message>
        <source>this machine · CPU only</source>
        <translation>这台机器 · 仅 CPU</translation>
    </message>
    <message>
        <source>the last run · the previous run</source>
        <translation>上次运行 · 再上次运行</translation>
    </message>
    <message>
        <source>this session · %1</source>
        <translation>此会话 · %1</translation>
    </message>
    <message>
        <source>%1 · the CPU</source>
        <translation>%1 · CPU</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Open a complete model to compare values.</source>
        <translation>打开完整的模型以比较值。</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算 …</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>this session</source>
        <translation>此会话</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>这台机器</translation>
    </message>
    <message>
        <source>the CPU alone</source>
        <translation>仅 CPU</translation>
    </message>
    <message>
        <source>Values cannot be compared: %1</source>
        <translation>无法比较数值：%1</translation>
    </message>
    <message>
        <source>Computes the same tokens on both sides and shows the error of each node, to find the first wrong one.</source>
        <translation>在两方计算相同的词元，显示每个节点相差多远：哪个节点最先出错？</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; against &lt;b&gt;%2&lt;/b&gt;: %3 nodes compared</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 对 &lt;b&gt;%2&lt;/b&gt;：比较了 %3 个节点</translation>
    </message>
    <message>
        <source>%1 beyond their tolerance</source>
        <translation>%1 个超出容差</translation>
    </message>
    <message>
        <source>the first is &lt;a href=&apos;first&apos; style=&apos;color:%1&apos;&gt;%2&lt;/a&gt; (%3): NMSE %4, tolerance %5</source>
        <translation>首个是 &lt;a href=&apos;first&apos; style=&apos;color:%1&apos;&gt;%2&lt;/a&gt; (%3)：NMSE %4，容差 %5</translation>
    </message>
    <message>
        <source>none beyond its tolerance</source>
        <translation>没有超出容差的</translation>
    </message>
    <message>
        <source>%1 explained by rounded activations</source>
        <translation>%1 个由激活值的舍入解释</translation>
    </message>
    <message>
        <source>%1 not checked, because their operands already differ</source>
        <translation>%1 个未评判，因为操作数已经不同</translation>
    </message>
    <message>
        <source>NaN on both sides in %1, the first is %2</source>
        <translation>%1 个节点两边均为 NaN，第一个是 %2</translation>
    </message>
    <message>
        <source>%1 not run there</source>
        <translation>%1 个未在其上运行</translation>
    </message>
    <message>
        <source>%1 without a counterpart</source>
        <translation>%1 个没有对应</translation>
    </message>
    <message>
        <source>Computing both sides</source>
        <translation>正在计算两侧</translation>
    </message>
    <message>
        <source>Both tensors …</source>
        <translation>两侧张量 …</translation>
    </message>
    <message>
        <source>Show the values of the selected node on both sides; or double-click a row</source>
        <translation>所选节点在两侧的值，并排显示；双击一行效果相同</translation>
    </message>
    <message>
        <source>Beyond tolerance</source>
        <translation>超出容差</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ValueComparison</name>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>the CPU</source>
        <translation>CPU</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Verdict</name>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Fits, %1 left</source>
        <translation>放得下，剩余 %1</translation>
    </message>
    <message>
        <source>Fits, %1 left on %2</source>
        <translation>放得下，%2 剩余 %1</translation>
    </message>
    <message>
        <source>%1 short on %2</source>
        <translation>%2 缺少 %1</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>放不下：%1</translation>
    </message>
    <message>
        <source>Not known whether it fits: choose a machine (the memory of %1 is not known)</source>
        <translation>不知道是否放得下：请选择机器（%1 的内存未知）</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>Not known whether it fits: %1</source>
        <translation>不知道是否放得下：%1</translation>
    </message>
    <message>
        <source>Cannot run: %1</source>
        <translation>无法运行：%1</translation>
    </message>
    <message>
        <source>Not known whether it fits</source>
        <translation>不知道是否放得下</translation>
    </message>
    <message>
        <source>Cannot run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>about %1 tokens/s</source>
        <translation>约 %1 词元/秒</translation>
    </message>
    <message>
        <source>Estimated for a full context of %1 tokens; with less in the cache, attention reads less.</source>
        <translation>按 %1 个词元的满上下文估计；缓存中的词元较少时，注意力读取的数据也较少。</translation>
    </message>
    <message>
        <source>reads about %1 tokens/s</source>
        <translation>读取约 %1 词元/秒</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::WhyPanel</name>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>buffer type</source>
        <translation>缓冲区类型</translation>
    </message>
    <message>
        <source>usable sources</source>
        <translation>可用的源</translation>
    </message>
    <message>
        <source>&lt;b&gt;Nothing selected&lt;/b&gt;&lt;br&gt;&lt;br&gt;Click a node in the graph or a row in a table to see why it runs where it does.</source>
        <translation>&lt;b&gt;未选择任何内容&lt;/b&gt;&lt;br&gt;&lt;br&gt;在图中单击节点或在表格中单击一行，看它为什么在那里运行。</translation>
    </message>
    <message>
        <source>runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>lives on</source>
        <translation>位于</translation>
    </message>
    <message>
        <source>split %1</source>
        <translation>分段 %1</translation>
    </message>
    <message>
        <source>allocated in</source>
        <translation>分配在</translation>
    </message>
    <message>
        <source>Why not on another backend</source>
        <translation>为什么不在其他后端</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>None: no pass considered it.</source>
        <translation>没有：没有任何一轮看过它。</translation>
    </message>
    <message>
        <source>What would change it</source>
        <translation>什么会改变它</translation>
    </message>
    <message>
        <source>→ edit the device</source>
        <translation>→ 编辑设备</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>through a copy</source>
        <translation>经由复制</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>被读取于</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Pass %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>(pending)</source>
        <translation>（尚未进行）</translation>
    </message>
    <message>
        <source>&amp;Why is it here?</source>
        <translation>为什么在这里(&amp;W)？</translation>
    </message>
    <message>
        <source>Show why the selected tensor is on its backend</source>
        <translation>显示所选张量为何位于其后端</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>because</source>
        <translation>因为</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ProgramControl</name>
    <message>
        <source>Reading the program&apos;s graph</source>
        <translation>正在读取程序的图</translation>
    </message>
    <message>
        <source>Summing times</source>
        <translation>正在汇总时间</translation>
    </message>
    <message>
        <source>Keeping the program&apos;s graphs</source>
        <translation>正在保存程序的图</translation>
    </message>
    <message>
        <source>%1 (program)</source>
        <translation>%1（程序）</translation>
    </message>
    <message>
        <source>simulated schedule</source>
        <translation>我们的调度器</translation>
    </message>
    <message>
        <source>No program. Ctrl+F5 starts one under the debugger.</source>
        <translation>没有程序。Ctrl+F5 在调试器下启动一个程序。</translation>
    </message>
    <message>
        <source>%1 was killed by signal %2 (%3).</source>
        <translation>%1 被信号 %2（%3）终止。</translation>
    </message>
    <message>
        <source>%1 ended with exit code %2.</source>
        <translation>%1 已结束，退出码 %2。</translation>
    </message>
    <message>
        <source>%1 continues without the debugger.</source>
        <translation>%1 脱离调试器继续运行。</translation>
    </message>
    <message>
        <source>%1 is running; waiting for its first graph.</source>
        <translation>%1 正在运行；等待它的第一个图。</translation>
    </message>
    <message>
        <source>Ending %1 …</source>
        <translation>正在结束 %1 …</translation>
    </message>
    <message>
        <source>%1 is running · graphs computed: %2</source>
        <translation>%1 正在运行 · 已计算的图：%2</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ProgramDialog</name>
    <message>
        <source>Capture from llama.cpp</source>
        <translation>从 llama.cpp 捕获</translation>
    </message>
    <message>
        <source>Debug a program</source>
        <translation>调试程序</translation>
    </message>
    <message>
        <source>Recent programs</source>
        <translation>最近的程序</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Program and arguments as in a shell. It must load ggml and llama.cpp as shared libraries. Drop a model here to insert it</source>
        <translation>程序和参数，写法与 shell 相同。它须以共享库加载 ggml 和 llama.cpp。拖放到此处的模型会被填入</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>this program&apos;s own</source>
        <translation>本程序的文件夹</translation>
    </message>
    <message>
        <source>Browse …</source>
        <translation>浏览 …</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>NAME=VALUE, one per line, in addition to the inherited ones</source>
        <translation>NAME=VALUE，每行一个，附加于继承的变量</translation>
    </message>
    <message>
        <source>If disabled, the program runs to the first breakpoint</source>
        <translation>否则运行到第一个断点</translation>
    </message>
    <message>
        <source>Time every node</source>
        <translation>为每个节点计时</translation>
    </message>
    <message>
        <source>Computes node by node, for the profile. If disabled, whole splits are timed, and the program runs at full speed while no breakpoint is set</source>
        <translation>逐节点计算，用于性能剖析。否则只为整个分段计时；未设断点时程序与单独运行一样快</translation>
    </message>
    <message>
        <source>The program runs until it has scheduled its prefill and decode graphs, and is then ended. llama-fit-params (December 2025 or later) allocates nothing.</source>
        <translation>运行程序，直到它调度了提示和一个词元，然后结束它。2025 年 12 月起的 llama-fit-params 不分配内存。</translation>
    </message>
    <message>
        <source>The program runs unmodified; breakpoints of the session stop it.</source>
        <translation>程序不经修改地运行；会话的断点会使它停止。</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>没有文件夹 %1。</translation>
    </message>
    <message>
        <source>Write environment variables as NAME=VALUE, one per line.</source>
        <translation>环境变量请写成 NAME=VALUE，每行一个。</translation>
    </message>
    <message>
        <source>Stop after the first node</source>
        <translation>在第一个节点之后停止</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ProgramGraphTable</name>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>one token</source>
        <translation>一个词元</translation>
    </message>
    <message>
        <source>prompt of %1</source>
        <translation>%1 个词元的提示</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>split only</source>
        <translation>仅分段</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Nodes: %1</source>
        <translation>节点：%1</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>次数</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ProgramPanel</name>
    <message>
        <source>State of the program</source>
        <translation>程序状态</translation>
    </message>
    <message>
        <source>Time every node</source>
        <translation>为每个节点计时</translation>
    </message>
    <message>
        <source>Computes each node by itself from the next graph on: times are those of a debugged run. If disabled, whole splits are timed</source>
        <translation>从下一个图起逐节点计算：时间是调试运行的时间。否则为整个分段计时</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>Console, graphs and simulation</source>
        <translation>控制台、图和我们的调度器</translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>与程序比较</translation>
    </message>
    <message>
        <source>Graphs of the program</source>
        <translation>程序的图</translation>
    </message>
    <message>
        <source>The latest graphs of each shape. Click to show one</source>
        <translation>每种形状的最近几个图。单击以显示</translation>
    </message>
    <message>
        <source>Differences from the simulation</source>
        <translation>与我们的调度器的差异</translation>
    </message>
    <message>
        <source>Show the simulation</source>
        <translation>显示我们的</translation>
    </message>
    <message>
        <source>All views show the simulated schedule of this graph, based on the answers of the program&apos;s devices; click again for the program&apos;s schedule</source>
        <translation>所有视图显示我们的调度器用程序设备的真实回答如何决定此图；再次单击：程序的做法</translation>
    </message>
    <message>
        <source>Save as machine …</source>
        <translation>保存为机器 …</translation>
    </message>
    <message>
        <source>Save the answers of the program&apos;s devices – operations, buffers, offloading – as a machine for other models</source>
        <translation>将程序设备的回答（运算、缓冲区、卸载）写成可用于其他模型的机器</translation>
    </message>
    <message>
        <source>Debug a &amp;program …</source>
        <translation>调试程序(&amp;P) …</translation>
    </message>
    <message>
        <source>Start llama.cpp or another program that uses it under the debugger</source>
        <translation>在调试器下启动 llama.cpp 或使用它的其他程序</translation>
    </message>
    <message>
        <source>Step a t&amp;oken</source>
        <translation>单步一个词元(&amp;O)</translation>
    </message>
    <message>
        <source>Run the program to the start of its next graph</source>
        <translation>运行程序，直到其下一个图的第一个节点之前</translation>
    </message>
    <message>
        <source>Save the program&apos;s devices as a &amp;machine …</source>
        <translation>将程序的设备保存为机器(&amp;M) …</translation>
    </message>
    <message>
        <source>Graphs (%1)</source>
        <translation>图（%1）</translation>
    </message>
    <message>
        <source>Differences between the simulated and the program&apos;s decisions appear here.</source>
        <translation>我们的调度器的决策与程序的决策并列显示在这里。</translation>
    </message>
    <message>
        <source>Simulation (%1)</source>
        <translation>与程序比较（%1）</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>De&amp;tach from the program</source>
        <translation>脱离程序(&amp;T)</translation>
    </message>
    <message>
        <source>The program continues without the debugger</source>
        <translation>程序脱离调试器继续运行</translation>
    </message>
    <message>
        <source>Save what the program&apos;s devices support as a machine for other models</source>
        <translation>将程序设备支持的内容保存为可用于其他模型的机器</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::RecordedDifferenceTable</name>
    <message>
        <source>no backend</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序的</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>我们的</translation>
    </message>
    <message>
        <source>Simulated cause</source>
        <translation>我们的原因</translation>
    </message>
    <message>
        <source>The simulation failed: %1</source>
        <translation>我们的调度器放弃了：%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;Same decisions&lt;/b&gt;: %1, %2 with the same nodes and inputs</source>
        <translation>&lt;b&gt;决策相同&lt;/b&gt;：%1，%2，节点和输入相同</translation>
    </message>
    <message>
        <source>&lt;b&gt;Same decisions&lt;/b&gt;: %1 tensors; the program&apos;s splits are not known</source>
        <translation>&lt;b&gt;决策相同&lt;/b&gt;：%1 个张量；程序的分段未知</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; of %2 tensors are on other backends · splits: program %3, simulation %4</source>
        <translation>%2 个张量中有 &lt;b&gt;%1&lt;/b&gt; 个位置不同 · 分段：程序 %3，我们 %4</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>first different split: %1</source>
        <translation>第一个不同的分段：%1</translation>
    </message>
    <message>
        <source>copies: program %1, simulation %2</source>
        <translation>复制：程序 %1，模拟 %2</translation>
    </message>
    <message>
        <source>compute buffers, held by the program / needed by this graph: %1</source>
        <translation>计算缓冲区（程序持有 / 此图所需）：%1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::Flame</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>copies and waiting</source>
        <translation>复制与等待</translation>
    </message>
    <message>
        <source>outside the layers</source>
        <translation>各层之外</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::FlameChart</name>
    <message>
        <source>Flame view</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Layers above their nodes; the width is the time</source>
        <translation>层在其节点之上，宽度与耗时成正比</translation>
    </message>
    <message>
        <source>%1: %2, %3 %</source>
        <translation>%1：%2，%3 %</translation>
    </message>
    <message>
        <source>Click a layer to enlarge it, a node to select it.</source>
        <translation>单击层可放大，单击节点可选中。</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::KindValuesMenu</name>
    <message>
        <source>Enter …</source>
        <translation>输入 …</translation>
    </message>
    <message>
        <source>Choose folder …</source>
        <translation>选择文件夹 …</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::VerifyDialog</name>
    <message>
        <source>Running the devices&apos; scheduler</source>
        <translation>正在询问设备的调度器</translation>
    </message>
    <message>
        <source>Verify the schedule</source>
        <translation>核对调度</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Simulated schedule compared with the devices&apos; scheduler</source>
        <translation>我们的调度与它的调度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止询问</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Compute buffers</source>
        <translation>计算缓冲区</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>%1: no difference</source>
        <translation>%1：没有差异</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n tensors are on other backends</source>
        <translation>
            <numerusform>%1：%n 个张量在别处</numerusform>
        </translation>
    </message>
    <message>
        <source>Where there are two figures, the first is simulated.</source>
        <translation>有两个数字时，前一个是模拟的。</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::DeviceEditor</name>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>none; e.g. iq1_m, bf16</source>
        <translation>无；例如 iq1_m, bf16</translation>
    </message>
    <message>
        <source>Element types this device cannot read, separated by commas</source>
        <translation>此设备不能读取的元素类型，以逗号分隔</translation>
    </message>
    <message>
        <source>Alignment of tensors in this device&apos;s memory</source>
        <translation>此设备内存中的每个张量都从它的倍数处开始</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>Maximum size of one allocation in this device&apos;s memory</source>
        <translation>此设备内存一次分配的上限</translation>
    </message>
    <message>
        <source>Buffer types that this device can read without a copy</source>
        <translation>此设备无需复制即可使用其中张量的内存</translation>
    </message>
    <message>
        <source>Readable memory</source>
        <translation>可读取的内存</translation>
    </message>
    <message>
        <source>offloads operations on CPU weights</source>
        <translation>接手 CPU 上的权重</translation>
    </message>
    <message>
        <source>Minimum batch for op offload</source>
        <translation>接手的最小批次</translation>
    </message>
    <message>
        <source> token</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Free memory of the device. Layers are divided accordingly, and excess is marked</source>
        <translation>设备的空闲内存。各层按它分配，放不下的会被标出</translation>
    </message>
    <message>
        <source>Speeds are estimated from the published rates of this device</source>
        <translation>速度按此设备公布的速率估算</translation>
    </message>
    <message>
        <source>Speeds are estimated from the rates that splitscope calibrate measured</source>
        <translation>速度按 splitscope calibrate 测得的速率估算</translation>
    </message>
    <message>
        <source>computes asynchronously</source>
        <translation>异步计算</translation>
    </message>
    <message>
        <source>Copies and computations are queued; the host does not wait for them</source>
        <translation>复制和计算排队进行；主机不必逐个等待</translation>
    </message>
    <message>
        <source>has events</source>
        <translation>有事件</translation>
    </message>
    <message>
        <source>Other devices can wait for points in its queue, which pipelining requires</source>
        <translation>其他设备可以等待其队列中的某一点；流水线需要它</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Free memory</source>
        <translation>空闲内存</translation>
    </message>
    <message>
        <source>Speed of</source>
        <translation>速度如同</translation>
    </message>
    <message>
        <source>Cannot run</source>
        <translation>不能运行</translation>
    </message>
    <message>
        <source>Cannot read</source>
        <translation>不能读取</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Largest buffer</source>
        <translation>最大缓冲区</translation>
    </message>
    <message>
        <source>Uses memory of</source>
        <translation>使用其内存</translation>
    </message>
    <message>
        <source>from a batch of</source>
        <translation>批次至少</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>largest buffer</source>
        <translation>最大缓冲区</translation>
    </message>
    <message>
        <source>types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>batch for offloading</source>
        <translation>卸载的批次</translation>
    </message>
    <message>
        <source>offloading</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>asynchrony</source>
        <translation>异步</translation>
    </message>
    <message>
        <source>events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Rename the device %1</source>
        <translation>重命名设备 %1</translation>
    </message>
    <message>
        <source>Change the memory of %1</source>
        <translation>更改 %1 的内存</translation>
    </message>
    <message>
        <source>Change the speed of %1</source>
        <translation>更改 %1 的速度</translation>
    </message>
    <message>
        <source>measured: %1 GB/s</source>
        <translation>实测：%1 GB/s</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Unknown, without effect: %1</source>
        <translation>未知，因此无效：%1</translation>
    </message>
    <message>
        <source>none; e.g. SOFT_MAX</source>
        <translation>无；例如 SOFT_MAX</translation>
    </message>
    <message>
        <source>Operations this device cannot run, separated by commas; after a colon, only with these element types: SOFT_MAX, MUL_MAT:iq1_m+bf16</source>
        <translation>此设备不能运行的运算，以逗号分隔；冒号之后是不支持的元素类型：SOFT_MAX, MUL_MAT:iq1_m+bf16</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::MemoryBox</name>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ModelOptionsEditor</name>
    <message>
        <source>Model and scheduler</source>
        <translation>模型与调度器</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>模型自带</translation>
    </message>
    <message>
        <source>Tokens computed at once (micro-batch): those of a prefill graph</source>
        <translation>一次计算的词元数（微批次）：即预填充图的词元数</translation>
    </message>
    <message>
        <source>Capacity of the KV cache in tokens</source>
        <translation>KV 缓存可容纳的词元数</translation>
    </message>
    <message>
        <source>Tokens submitted at once; computed in micro-batches</source>
        <translation>一次给出的词元数；按微批次计算</translation>
    </message>
    <message>
        <source>by size</source>
        <translation>按大小</translation>
    </message>
    <message>
        <source>Element type of the cached keys; smaller types save memory</source>
        <translation>缓存的键的元素类型；较小的类型节省内存</translation>
    </message>
    <message>
        <source>as the keys</source>
        <translation>与键相同</translation>
    </message>
    <message>
        <source>Element type of the cached values; quantised ones need flash attention</source>
        <translation>缓存的值的元素类型；量化类型需要 Flash 注意力</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>where devices have it</source>
        <translation>设备支持之处</translation>
    </message>
    <message>
        <source>Attention computed as one operation that never stores all scores</source>
        <translation>作为单个运算计算的注意力，从不存储全部分数</translation>
    </message>
    <message>
        <source>offload operations</source>
        <translation>卸载运算</translation>
    </message>
    <message>
        <source>Run large batches on an accelerator even if the weights are on the CPU</source>
        <translation>即使权重在 CPU 上，大批次也在加速器上计算</translation>
    </message>
    <message>
        <source>pipeline copies</source>
        <translation>流水线复制</translation>
    </message>
    <message>
        <source>Several copies of the inputs, so that devices can work on different batches</source>
        <translation>输入有多份，使各设备处理不同的批次</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Cached keys</source>
        <translation>缓存的键</translation>
    </message>
    <message>
        <source>Cached values</source>
        <translation>缓存的值</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash 注意力</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>cached keys</source>
        <translation>缓存的键</translation>
    </message>
    <message>
        <source>cached values</source>
        <translation>缓存的值</translation>
    </message>
    <message>
        <source>flash attention</source>
        <translation>Flash 注意力</translation>
    </message>
    <message>
        <source>offloading</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>one cache for all sequences</source>
        <translation>所有序列共用一个缓存</translation>
    </message>
    <message>
        <source>whole window caches</source>
        <translation>完整的窗口缓存</translation>
    </message>
    <message>
        <source>repack CPU weights</source>
        <translation>重排 CPU 权重</translation>
    </message>
    <message>
        <source>pinned memory for CPU weights</source>
        <translation>CPU 权重使用锁页内存</translation>
    </message>
    <message>
        <source>Sequences that memory is reserved for. llama.cpp: -np</source>
        <translation>为其预留内存的序列。llama.cpp：-np</translation>
    </message>
    <message>
        <source>The sequences share one cache. llama.cpp: -kvu</source>
        <translation>各序列共用一个缓存。llama.cpp：-kvu</translation>
    </message>
    <message>
        <source>Sliding-window layers keep the whole context in their cache. llama.cpp: --swa-full</source>
        <translation>带滑动窗口的层在缓存中保留整个上下文。llama.cpp：--swa-full</translation>
    </message>
    <message>
        <source>The CPU repacks weights if it has kernels for that. llama.cpp: -nr switches it off</source>
        <translation>CPU 在有相应内核时交错排列权重。llama.cpp：-nr 可关闭</translation>
    </message>
    <message>
        <source>CPU weights may be in pinned memory, which devices copy faster. llama.cpp: --no-host switches it off</source>
        <translation>CPU 的权重可以放在设备复制更快的内存中。llama.cpp：--no-host 可关闭</translation>
    </message>
    <message>
        <source>pooled as the file says</source>
        <translation>按文件所述池化</translation>
    </message>
    <message>
        <source>one per token</source>
        <translation>每个词元一个</translation>
    </message>
    <message>
        <source>mean of the tokens</source>
        <translation>词元的平均</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>scores of a reranker</source>
        <translation>重排序器的得分</translation>
    </message>
    <message>
        <source>Embeddings besides the logits, and how those of a sequence are pooled. llama.cpp: --embeddings, --pooling, --reranking</source>
        <translation>除 logits 外还计算嵌入，以及如何池化一个序列的嵌入。llama.cpp：--embeddings、--pooling、--reranking</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>嵌入</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SessionEdits</name>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::SliceBar</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>The dimension shown as rows, with its size. Dimension 0 (ne0) is the innermost: its elements are contiguous in memory</source>
        <translation>显示为行的维度及其大小。维度 0（ne0）是最内层：其元素在内存中相邻</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>The dimension shown as columns; always dimension 0 (ne0) for quantised tensors</source>
        <translation>显示为列的维度；量化张量总是维度 0（ne0）</translation>
    </message>
    <message>
        <source>ne%1 index</source>
        <translation>ne%1 序号</translation>
    </message>
    <message>
        <source>Index in dimension %1, whose size is %2</source>
        <translation>维度 %1 中的序号，其大小为 %2</translation>
    </message>
    <message>
        <source>Index in the fixed dimension</source>
        <translation>切片固定的维度中的序号</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::TensorFacts</name>
    <message>
        <source>not computed: a weight, a cache or an input</source>
        <translation>未经计算：权重、缓存或输入</translation>
    </message>
    <message>
        <source>computed on %1</source>
        <translation>在 %1 上计算</translation>
    </message>
    <message>
        <source>&lt;b&gt;Not computed yet&lt;/b&gt;: its memory holds older data</source>
        <translation>&lt;b&gt;尚未计算&lt;/b&gt;：这是其内存此前的内容</translation>
    </message>
    <message>
        <source>&lt;b&gt;Overwritten&lt;/b&gt;: its memory holds %1 now</source>
        <translation>&lt;b&gt;已被覆盖&lt;/b&gt;：其内存现在存放 %1</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>splitscope::ui::ValuePictures</name>
    <message>
        <source>Heat map of the slice</source>
        <translation>切片的热图</translation>
    </message>
    <message>
        <source>Blue: negative, orange: positive; cells of large slices show the mean. Click to show the values</source>
        <translation>蓝色小于零，橙色大于零；大切片显示每格的平均值。单击显示值</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Of all values</source>
        <translation>所有值的直方图</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Logarithmic scale of the counts</source>
        <translation>高度为出现次数的对数</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>The value with the weakest colour, or the strongest negative one</source>
        <translation>颜色最弱的值，或零以下最强的值</translation>
    </message>
    <message>
        <source>The value with the strongest colour</source>
        <translation>颜色最强的值</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
</TS>

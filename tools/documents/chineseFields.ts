/** What docs/zh-CN/operations.md adds to the words of a form, by chapter and field, as ADDED does in English. */
export const CHINESE_ADDED: Readonly<Record<string, string>> = {
	'call.notify to': '写法见[号码怎么写](#号码怎么写)。',
	'call.notify content': '选最后一项时 `playMode` 为 `1`，其他情况不发送。',
	'call.notify mediaNameType': '平台默认就是自己的语音文件，所以不发送。',
	'call.notify resultDelivery': '见[通话结果](call-results.md)。',
	'call.notify waitLimit':
		'不能超过一年。到时还没有结果的，outcome 是 `timeout`。没有触发器时，n8n 自己的定时器一分钟才检查一次。',
	'call.notify respUrl':
		'必须能从公网访问，也可以是别的系统的地址。触发器的地址会加上令牌，24 小时内有效。',
	'call.notify mediaName':
		'自己的文件在容联云控制台上传，建议用单声道、8 kHz、16 位、128 kbps 的 PCM。',
	'call.verify playVerifyCode':
		'自己的文件在容联云控制台上传，建议用单声道、8 kHz、16 位、128 kbps 的 PCM。',
	'call.verify welcomePrompt': '用分号隔开的多个文件也会照样发送，但平台文档只提到一个。',
	'call.notify userData':
		'最多 1,024 字节。用表达式填对象时，带回的还有解析后的值（`userDataParsed`）。',
	'sms.send to': '写法见[号码怎么写](#号码怎么写)。',
	'sms.send variables':
		'输入框的名称是模板里变量前后的文字；读不到模板时，只有编号。换一个模板，已填的内容会清空；n8n 1 里，模板 ID 的表达式第一次算出结果时也会。中间空着的也占一个位置。',
	'sms.send datas':
		'表达式给出数组或对象时依次填入多行；空行也占一个位置。模板没有变量就不用添加。',
	'sms.send templateId': '编号在容联云控制台里看。试用账号很可能只能用模板 1。',
	'sms.send reqId': '同一天内重复会被平台拒绝（错误码 160054）。要分几次请求的数据项不能用。',
	'sms.send templateText':
		'变量对不上的数据项，发送前就被拒绝。演练会显示填好的内容和字数，输出里是 `preview` 和 `characters`；超过 70 个字，一条短信很可能按多条计费。',
	'verificationCode.send datas': '至少一行要有 {code}。默认的值适合模板 1。',
	'verificationCode.send resendToken': '发送方式可以换，有效期不变。要新验证码，就不加这个选项。',
	'verificationCode.check code': '全角数字也认；如果是数值，会补回前面的 0。',
	'subAccount.create friendlyName': '平台文档这样要求；也有人说用别的名称成功过。',
	'subAccount.getAll startNo': '填 100 就从第 101 个开始。',
	'subAccount.getAll limit': '节点每次请求最多取 100 个。',
	'options of calls and SMS allowedRecipients':
		'不带分机的号码，也允许拨它的任何分机。不能用表达式，所以数据和 AI Agent 都改不了。',
	'options of calls and SMS limits':
		'可加一到四条：按号码、按本节点的总数，或按某个值（例如访客地址，只有它可以用表达式，保存的是散列值）；每分钟（任意 60 秒）、每个整点小时或每个自然日，按 UTC+8。一条短信的每个号码各算一次。两个节点各设 5，加起来就是 10。',
	'options of calls and SMS idempotencyKey': '有多个 n8n worker 时，同时运行的两个可能都会发。',
	'options of pace requestsPerSecond': '只看第一个数据项的值。',
	'options of every request timeout': '超时之后，无法确定平台有没有受理。',
	'options of pace maxConcurrency': '只看第一个数据项的值。平台提示并发过高时，节点会自动减少。',
	'options of calls and SMS dryRun': '不能用表达式。见[先演练](rehearse.md)。',
	'Yuntongxun Trigger ignoreDuplicates':
		'记住最近 5,000 个，n8n 重启后清空。重复的通知到达不同的 n8n 进程时，可能各启动一次执行。在编辑器里测试不受影响。',
	'Yuntongxun Trigger outcomes': '不是通话的事件不受影响。',
};

/**
 * What to enter in the fields of the forms in Chinese, for docs/zh-CN/operations.md. Their names are
 * those of translations/zh-CN.json. By the chapter that describes the field and its stored name; the second one of a name has a 2.
 */
export const CHINESE_FIELDS: Readonly<Record<string, string>> = {
	'call.notify to':
		'要呼叫的一个号码，例如 13800000000。固定电话要带区号；分机号写在横线后面：01012345678-801。写法见[号码怎么写](#号码怎么写)。',
	'call.notify content':
		'_Audio Files_：播放审核通过的语音文件。_Text to Speak_：朗读文本。_Text, Then Audio Files_：先朗读文本，再播放语音文件（此时 `playMode` 为 `1`，其他情况不发送）。',
	'call.notify mediaTxt': '由平台合成语音朗读的文字。',
	'call.notify mediaName':
		'审核通过的 wav 文件名，用分号分隔，依次播放，例如 welcome.wav;closing.wav。自己的文件在控制台上传，建议用单声道、8 kHz、16 位、128 kbps 的 PCM。',
	'call.notify mediaNameType':
		'_Own Audio_：自己在控制台上传并通过审核的文件（平台默认就是它，所以不发送）。_Platform Audio_：平台提供给所有人的文件，例如 ccp_marketingcall.wav。',
	'call.notify resultDelivery':
		'_Do Nothing_：不推送结果。_Send Result to URL_：平台把结果推送到您填的地址。_Start the Trigger in This Workflow_：收到结果后，从 Yuntongxun Trigger 再次启动本工作流。_Wait for Result_：执行挂起，拿到结果后继续；工作流里有 Yuntongxun Trigger 并已激活（发布）时，可以同时等 500 通。见[通话结果](call-results.md)。',
	'call.notify respUrl':
		'平台推送结果的地址，必须能从公网访问。可以复制触发器面板里的 Production URL，也可以填别的系统的地址。',
	'call.notify waitLimit':
		'最后一通呼叫受理之后最多等多久，不能超过一年。到时还没有结果的，outcome 是 `timeout`。工作流里没有 Yuntongxun Trigger 时，请设三分钟以上，因为 n8n 自己的定时器一分钟才检查一次。',
	'call.notify waitLimitUnit':
		'最长等待时间的单位：_Hours_（小时）、_Minutes_（分钟）、_Seconds_（秒）。',
	'call.notify appId': '使用哪个应用。留空就用凭证里的 App ID。',
	'call.notify txtBgsound':
		'朗读时的背景音：_None_（无）或平台的六种背景音之一（_Platform Sound 1_ 到 _Platform Sound 6_）。',
	'call.notify displayNum':
		'被叫手机上显示的号码。需要平台授权；与被叫号码相同时，显示的是平台的号码。',
	'call.notify userData':
		'随结果原样带回（字段名 userData）的内容，比如订单号。用表达式填对象时，带回的还有解析后的值（`userDataParsed`）。最多 1,024 字节。',
	'call.notify playTimes': '播放几遍，1 到 3。',
	'call.notify rehearsedOutcome':
		'演练时通话怎样结束：_Completed_ 接通，_Failed_ 外呼失败，_No Answer_ 无人接听，_Timeout_ 时限内没有结果。',
	'call.notify txtPitch': '-500 到 500，0 为正常。',
	'call.notify txtSpeed': '-500 到 500，0 为正常。',
	'call.notify txtVolume': '-20 到 20，0 为正常。',
	'call.verify voice':
		'_Platform Voice_：平台用标准话术朗读。_Own Audio Files_：依次播放自己的语音文件，拼出验证码。',
	'call.verify verifyCode': '要朗读的验证码，4 到 8 位字母或数字，例如 384512，不区分大小写。',
	'call.verify playVerifyCode':
		'审核通过的 wav 文件名，用分号分隔，依次播放，例如 yourcode.wav;three.wav;eight.wav。在控制台上传，建议用单声道、8 kHz、16 位、128 kbps 的 PCM。',
	'call.verify verifyCode 2':
		'4 到 8 位字母或数字，例如 384512，不区分大小写。语音文件已经念出来了，所以可以留空。',
	'call.verify displayNum': '被叫手机上显示的号码，需要平台授权。',
	'call.verify lang':
		'平台语音的语言：_Chinese_（中文）或 _English_（英文；平台尚未支持，选了就照样发送）。',
	'call.verify maxCallTime': '通话最长多久，单位很可能是秒（平台文档没有写）。填 0 不发送。',
	'call.verify welcomePrompt':
		'朗读验证码之前播放的 wav 文件名，须审核通过，例如 welcome.wav。用分号隔开的多个文件也会照样发送，但平台文档只提到一个。',
	'call.getResult callSid':
		'呼叫的编号（callSid）。请在呼叫 90 秒以后再查，太早查到的结果可能不准；不要只凭这个结果就重拨。',
	'sms.send to':
		'多个号码用逗号、分号或换行分隔，也可以用表达式给一个数组。超过 200 个会分成几次请求。写法见[号码怎么写](#号码怎么写)。',
	'sms.send templateId':
		'审核通过的模板。列表读不出来时选 By ID，填控制台里的模板编号。试用账号很可能只能用模板 1。',
	'sms.send variablesMode':
		'怎么填模板里空出的内容。_As List_：按顺序一行一个，可以用表达式一次填几个。_Field by Field_：所选模板的每个变量一个输入框。',
	'sms.send variables':
		'每个变量一个输入框，名称是模板里变量前后的文字；读不到模板时，输入框只有编号。换一个模板，已填的内容会清空；n8n 1 里，Template ID 的表达式第一次算出结果时也会。中间空着的也占一个位置。',
	'sms.send datas':
		'模板里 {1}、{2} 等的值，每个一行，按顺序填。表达式给出数组或对象时依次填入多行；空行也占一个位置。模板没有变量就不用添加。',
	'sms.send reqId':
		'自己定义的编号，1 到 32 位字母和数字，例如 order42reminder。短信回执会原样带回。同一天内重复会被平台拒绝（错误码 160054）。要分几次请求的数据项不能用。',
	'sms.send subAppend':
		'接在发送号码后面的 1 到 4 位数字，例如 42；用户回复时会带回来（appendCode 字段）。',
	'sms.send templateText':
		'审核通过的模板内容，例如 Your code is {1}, valid for {2} minutes。变量对不上的数据项，发送前就被拒绝。演练会输出填好的内容和字数（`preview` 和 `characters`）；超过 70 个字，一条短信很可能按多条计费。',
	'smsTemplate.get templateId':
		'要查询的模板，审核通过与否都可以。列表读不出来时选 By ID，填控制台里的模板编号。',
	'smsTemplate.getAll returnAll': '返回全部结果；关闭时只返回指定数量。',
	'smsTemplate.getAll limit': '最多返回多少个结果。',
	'smsTemplate.get simplify': '只输出常用字段；关闭就输出平台返回的全部字段。',
	'verificationCode.send to': '接收验证码的号码，例如 13800000000。',
	'verificationCode.send channel':
		'怎么把验证码告诉对方。_Phone Call_：平台语音朗读。_SMS_：放进您的短信模板。',
	'verificationCode.send datas':
		'模板里 {1}、{2} 等的值，按顺序填：{code} 代表验证码，{minutes} 代表有效的分钟数；至少一行要有 {code}。默认的值适合模板 1。',
	'verificationCode.send codeLength': '新验证码的位数，4 到 8。',
	'verificationCode.send codeLifetime': '新验证码的有效期，1 到 1440 分钟（一天）。',
	'verificationCode.send resendToken':
		'之前 Send 输出的令牌（verificationToken），约 90 个字母和数字，中间有点：它的验证码再发一次，发送方式可以换，有效期不变。留空就生成新验证码。',
	'verificationCode.check verificationToken':
		'Send 输出的令牌，约 90 个字母和数字，中间有点。通常用表达式填，例如取自表单的隐藏字段。',
	'verificationCode.check code':
		'对方输入的内容，例如 384512。空格会去掉，全角数字也认；如果是数值，会补回前面的 0。',
	'verificationCode.check maxAttempts': '一个令牌最多可以试几次，1 到 20。用完之后，输对也不行。',
	'subAccount.create friendlyName':
		'在您的账号里不能重名，例如 shop-42@example.com。平台文档要求用字母和数字或邮箱地址，也有人说用别的名称成功过。',
	'subAccount.create onDuplicate':
		'_Fail_：不创建，这个数据项失败。_Return Existing Sub-Account_：平台拒绝创建时，返回同名的子账号，created 为 false。',
	'subAccount.create omitSecrets':
		'输出里去掉令牌和密码（subToken、voipPwd），因为 n8n 会把输出和执行记录一起保存。',
	'subAccount.getAll startNo': '从列表开头跳过多少个子账号：填 100 就从第 101 个开始。',
	'subAccount.close subAccountSid': '要关闭的子账号。据我们所知，关闭后无法恢复。',
	'subAccount.close appId': '列出哪个应用的子账号。留空就用凭证里的 App ID。',
	'options of calls and SMS allowedRecipients':
		'允许联系的号码，用逗号分隔，例如 13800000000, 1390000\\*；末尾的星号代表任意位数字。其他号码在请求发出前就被拒绝。不带分机的号码，也允许拨它的任何分机。不能为空，也不能用表达式，所以数据和 AI Agent 都改不了。',
	'options of calls and SMS dryRun':
		'做完所有检查，输出与真实运行相同，但不会联系任何人，也不收费。不能用表达式。见[先演练](rehearse.md)。',
	'options of calls and SMS limits':
		'限制本节点打电话、发短信的次数，最多四条。可以按号码（同一号码）、总数（本节点）或值（例如访客地址、用户编号，只有它可以用表达式，保存的是散列值）计数。每分钟是任意 60 秒；小时和天是整点小时和自然日，按 UTC+8（平台很可能用这个时间）。一条短信的每个号码各算一次；上限按节点计。一条都不加，就不做任何限制。',
	'options of calls and SMS idempotencyKey':
		'这条消息或这件事的编号，例如 order-42-reminder。同一个编号不会向同一号码发送第二次；有多个 n8n worker 时，同时运行的两个可能都会发。见[防止重复和误发](sending-safely.md)。',
	'options of pace maxConcurrency':
		'同时进行的请求数，1 到 200。平台提示并发过高时，节点会自动减少。只看第一个数据项的值。',
	'options of pace requestsPerSecond':
		'每秒最多发起多少个请求，1 到 1000；0 为不限。只看第一个数据项的值。',
	'options of every request timeout':
		'收完整个响应最多等多少毫秒，1 到 3600000：30000 是半分钟。超时之后，无法确定平台有没有受理。',
	'Yuntongxun Trigger events':
		'哪些通知会启动工作流。_Call Ended_：语音通知的通话已结束。_Code Call Ended_：语音验证码的通话已结束。_SMS Delivery Report_：短信已送达，或没能送达。_SMS Reply_：有人回复了短信。_Something Else_：平台推送到这个地址的其他内容。',
	'Yuntongxun Trigger ignoreDuplicates':
		'24 小时内重复到达的同一通知不再启动工作流。记住最近 5,000 个，n8n 重启后清空。重复的通知到达不同的 n8n 进程时，可能各启动一次执行。在编辑器里测试不受影响。',
	'Yuntongxun Trigger outcomes':
		'哪些通话状态会启动工作流，留空就是全部；不是通话的事件不受影响。_Completed_：线路接通，也可能是语音信箱。_Failed_：外呼失败。_No Answer_：无人接听。_Unknown_：平台报告了其他状态。',
	'Credential accountSid': '控制台首页“开发者主账号”里的 ACCOUNT SID，通常是 32 位字母和数字。',
	'Credential authToken':
		'ACCOUNT SID 下面的 AUTH TOKEN，通常是 32 位字母和数字。只用来签名，不会发出去。',
	'Credential appId':
		'呼叫和短信都需要，节点里没填 App ID 时用它：应用详情里的 APP ID（“应用列表”或“应用管理”）。',
	'Credential wireFormat': '与平台通信的格式：_JSON_ 或 _XML_。没有特别需要就用 JSON，输出都一样。',
	'Credential baseUrl':
		'控制台里 ACCOUNT SID 旁边的 Rest URL：按官方页面，生产环境是 https://app.cloopen.com:8883，沙箱是 https://sandboxapp.cloopen.com:8883，两边的账号不同。',
};

/** What the document adds to a field that an earlier chapter describes. */
export const CHINESE_ADDED: Readonly<Record<string, string>> = {
	'subAccount.getAll limit': '节点每次请求最多取 100 个。',
};

/** The code of success (specification 1 and 7.1). */
export const SUCCESS = '000000';

/** The code of a parameter that the service does not understand. */
export const BAD_PARAMETER = '160031';

/**
 * The failure codes of the simulator, and the service's words for them.
 * The specification lists none (section 7, rule 3); these are the publicly known ones. The four about
 * sub-accounts other than 111150 continue the numbering of the main-account codes: a guess.
 */
const MESSAGES: Readonly<Record<string, string>> = {
	'111000': '【账号】未知错误',
	'111100': '【账号】请求URL账号格式不正确',
	'111101': '【账号】请求包头Authorization参数为空',
	'111102': '【账号】请求包头Authorization参数Base64解码失败',
	'111103': '【账号】请求包头Authorization参数解码后格式有误',
	'111104': '【账号】请求包头Authorization参数解码后账户ID为空',
	'111105': '【账号】请求包头Authorization参数解码后时间戳为空',
	'111106': '【账号】请求包头Authorization参数解码后时间戳过期',
	'111107': '【账号】请求包头Authorization参数中账户ID跟请求地址中的账户ID不一致',
	'111108': '【账号】请求地址Sig参数为空',
	'111109': '【账号】请求地址Sig校验失败',
	'111110': '【账号】请求地址SoftVersion参数有误',
	'111113': '【账号】请求包头Authorization参数中时间戳格式有误',
	'111141': '【账号】主账户不存在',
	'111142': '【账号】主账户余额不足',
	'111144': '【账号】子账户ID为空',
	'111150': '【账号】子账户名称重复',
	'111151': '【账号】子账户名称为空',
	'111156': '【账号】子账户已关闭',
	'111157': '【账号】子账户不存在',
	'111169': '【账号】应用ID为空',
	'111181': '【账号】应用不存在',
	'111212': '【账号】应用未上线',
	'112306': '【短信】接收模板短信的手机号码为空',
	'112307': '【短信】模板短信模板ID为空',
	'112308': '【短信】模板短信data参数为空',
	'112310': '【短信】应用未上线，模板短信接收号码外呼受限',
	'112311': '【短信】短信模板不存在',
	'112313': '【短信】未查到符合条件的短信模板',
	'112316': '【短信】接收短信的多个号码格式错误',
	'112323': '【短信】短信模板不存在或审核未通过',
	'113302': '【短信】您正在使用云通讯测试模板且短信接收者不是注册的测试号码',
	'160030': '【短信】请求包体为空',
	'160031': '【短信】参数解析失败',
	'160042': '【短信】号码格式有误',
	'160043': '【短信】应用与模板id不匹配',
	'160044': '【短信】发送号码为空',
	'160045': '【短信】群发号码重复',
	'160048': '【短信】号码数超200限制',
	'160052': '【短信】模板变量格式有误',
	'160055': '【短信】请求reqId超长',
	'160057': '【短信】短信模板ID要求为数字',
	'160065': '【短信】子扩展不符合要求',
	'160069': '【短信】测试模板变量非数字',
};

/**
 * The Chinese `statusMsg` of a failure code.
 * @param statusCode any code; an unknown one gets a general text
 */
export const statusMessage = (statusCode: string): string =>
	MESSAGES[statusCode] ?? `【账号】请求失败（${statusCode}）`;

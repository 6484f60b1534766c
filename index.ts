export { YuntongxunApi } from './credentials/YuntongxunApi.credentials';
export { Yuntongxun } from './nodes/Yuntongxun/Yuntongxun.node';
export { YuntongxunTrigger } from './nodes/Yuntongxun/YuntongxunTrigger.node';

/** n8n's library as the environment has loaded it; its clock is that of the tests. */
module.exports = {
	...globalThis.n8nWorkflow,
	sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
};

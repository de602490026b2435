/** Whether this run decides about a change: nothing may be skipped, and nothing taken for known. */
export const isCi = (env: NodeJS.ProcessEnv): boolean => !['', '0', 'false'].includes(env['CI'] ?? '')

/** The id of a session in what somebody typed or pasted, which may be the address that it stands in; undefined without one. */
export const sessionIdIn = (text: string): string | undefined => /(?:^|#|\s)(ses_\w{1,60})(?![\w-])/.exec(text)?.[1]

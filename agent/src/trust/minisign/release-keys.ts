/**
 * The minisign public keys (one line each, as `minisign -G` prints them) whose signatures this build believes. Whoever
 * builds the agent for an organisation writes theirs here: one in use and one in reserve, so that a lost key can be
 * replaced. With none, no update and no security policy is believed. Not read from the environment: who can set a
 * variable must not choose what is installed.
 */
export const releaseKeys: readonly string[] = []

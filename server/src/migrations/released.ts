/** The newest migration of the last release: a version beside this one has it, or cannot stand beside it. */
export const released = '0610-capture-keys'

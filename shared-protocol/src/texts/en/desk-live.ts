/** Every text of the desk’s rooms of interviews that go on. */
export const texts = {
  liveSection: 'Live interviews',
} as const

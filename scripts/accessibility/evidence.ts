/** A test that looks at a criterion, by its file and what its title begins with. */
export interface Evidence {
  readonly file: string
  readonly test: string
}

const window = (test: string): Evidence => ({ file: 'agent/test/renderer/window-access.test.ts', test })

/** Tests in a real browser that several criteria rest on. */
export const evidence = {
  axeOfWindow: window('axe objects to nothing on any screen'),
  windowAtTwice: window('nothing is cut off in a window of 320 pixels with text of twice the size'),
  windowShort: window('the end of every page is reached in a very short window'),
  windowByKeyboard: window('the keyboard alone goes from the code to the end'),
  windowStill: window('moves nothing for those who want that'),
  windowForced: window('the lights are there where the system replaces all colours'),
  room: {
    file: 'room-web/test/browser/room-web.test.ts',
    test: 'can be used at 320 pixels, with the keyboard alone',
  },
  requests: {
    file: 'room-web/test/browser/requests-web.test.ts',
    test: 'can be used at 320 pixels, with the keyboard alone, in Hindi, with text of twice the size',
  },
  phone: {
    file: 'companion/test/browser/companion-web.test.ts',
    test: 'can be used at 320 pixels, with the keyboard alone',
  },
  account: {
    file: 'desk/test/browser/account-web.test.ts',
    test: 'speaks Hindi, and says what is wrong with a password',
  },
  desk: { file: 'desk/test/browser/desk-web.test.ts', test: 'says who is signed in' },
  deskTitles: { file: 'desk/test/browser/desk-web.test.ts', test: 'comes back to where a letter led' },
  deskSaves: { file: 'desk/test/browser/desk-house.test.ts', test: 'saves where checkpoints go' },
  deskAsks: { file: 'desk/test/browser/desk-house.test.ts', test: 'asks before it requires a second step' },
  passkey: { file: 'desk/test/browser/account-web.test.ts', test: 'adds a passkey and signs in with it' },
  keptWords: {
    file: 'room-web/test/browser/requests-web.test.ts',
    test: 'keeps words through a reload and a lost network',
  },
  colours: { file: 'shared-protocol/src/clients/tokens.test.ts', test: 'can be read on the pages, and their controls' },
  palettes: {
    file: 'shared-protocol/src/clients/palette.test.ts',
    test: 'leaves no line, sign or note that cannot be read',
  },
} as const satisfies Readonly<Record<string, Evidence>>

export type EvidenceName = keyof typeof evidence

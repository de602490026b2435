import { builtPages } from './built-pages.ts'

/** The browser client of the room: its page, and those that links in e-mails lead to. */
export const roomWeb = builtPages({
  folder: 'room-web',
  pages: ['index', 'invitation', 'requests', 'access', 'password', 'invite', 'interviewer', 'preview'],
  inputs: ['scripts/clients/room-web.ts', 'shared-protocol/src/domains/interviews/capture-keys/capture-keys.texts.ts'],
})

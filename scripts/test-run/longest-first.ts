import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take half a minute and more, by the end of their path. Two run at a time: one that mostly waits (for
 * real sound, film, a page's patience) comes after one that mostly computes. A name too few or too many costs time alone.
 */
const longest = [
  // The agent's.
  'agent/test/end-to-end/kill.test.ts',
  'agent/src/machine/sound/sound.test.ts',
  'agent/src/machine/page/web-sound.test.ts',
  'agent/test/application/join-to-done.test.ts',
  'agent/test/renderer/window-consent.test.ts',
  'agent/test/renderer/window-recording.test.ts',
  'agent/src/machine/page/web-listening.test.ts',
  'agent/test/renderer/window-access.test.ts',
  'agent/test/end-to-end/transcript.test.ts',
  'agent/src/desktop/device-check.test.ts',
  // The server's, which run beside them.
  'server/test/flows/deliveries/delivery-proof.test.ts',
  'room-web/test/browser/rare-screens.test.ts',
  'server/test/invariants/malformed.test.ts',
  'companion/test/browser/companion-web.test.ts',
  'room-web/test/browser/room-web.test.ts',
  'server/test/flows/uploads/uploads.test.ts',
  'companion/test/browser/companion-journey.test.ts',
  'server/test/flows/sandbox/sandbox.test.ts',
  'room-web/test/browser/invitation-web.test.ts',
  'server/test/flows/updates/release-admin.test.ts',
  'server/test/flows/compositions/compositions-process.test.ts',
  'server/test/invariants/credentials.test.ts',
  'server/test/flows/app/process.test.ts',
  'room-web/test/browser/requests-web.test.ts',
  'server/test/flows/candidate-requests/candidate-requests.test.ts',
  'server/test/flows/deliveries/webhook-dispatch.test.ts',
]

const place = ({ moduleId }: TestSpecification): number => {
  const found = longest.findIndex((file) => moduleId.endsWith(file))
  return found === -1 ? longest.length : found
}

/** Runs the longest files first: one that began last would keep one core busy while the other has nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

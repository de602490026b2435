import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take half a minute and more, by the end of their path. Two run at a time: one that mostly waits (for
 * real sound, film, a page's patience) comes after one that mostly computes. A name too few or too many costs time alone.
 */
const longest = [
  // real
  'agent/test/application/join-to-done.real.test.ts',
  'agent/src/machine/sound/sound.real.test.ts',
  'agent/src/machine/page/web-sound.real.test.ts',
  'agent/src/machine/page/web-listening.real.test.ts',
  'agent/test/end-to-end/transcript.real.test.ts',
  'agent/src/machine/page/web-pictures.real.test.ts',
  'agent/test/shell/packaged-app.real.test.ts',
  'agent/src/machine/screen/screen.real.test.ts',
  'agent/src/desktop/device-check.real.test.ts',
  // pages
  'agent/test/renderer/window-access.test.ts',
  'agent/test/renderer/window-consent.test.ts',
  'agent/test/renderer/window-recording.test.ts',
  'room-web/test/browser/rare-screens.test.ts',
  'companion/test/browser/companion-web.test.ts',
  'room-web/test/browser/room-web.test.ts',
  'companion/test/browser/companion-journey.test.ts',
  'room-web/test/browser/invitation-web.test.ts',
  'room-web/test/browser/requests-web.test.ts',
  // rest
  'server/test/flows/deliveries/delivery-proof.test.ts',
  'server/test/invariants/malformed.test.ts',
  'server/test/flows/docs/guide.test.ts',
  'agent/test/end-to-end/kill.test.ts',
  'server/test/flows/compositions/compositions-process.test.ts',
  'server/test/flows/app/process.test.ts',
  'server/test/flows/reports/exports.test.ts',
  'server/src/platform/film/film-inputs.test.ts',
  'server/test/invariants/idempotency.test.ts',
  'server/test/flows/sandbox/sandbox-run.test.ts',
  'server/test/flows/sandbox/sandbox-dates.test.ts',
  'server/test/invariants/recurring-jobs.test.ts',
  'server/test/flows/companions/companions.test.ts',
  'server/test/flows/app/backup.test.ts',
  'server/test/flows/audit/audit-logs.test.ts',
  'server/src/platform/film/render-film.test.ts',
  'server/test/flows/docs/reference-page.test.ts',
  'server/test/invariants/credentials.test.ts',
  'shared-protocol/test/client/package.test.ts',
  'agent/test/end-to-end/requests.test.ts',
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

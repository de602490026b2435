import { createClient } from '../../shared-protocol/client/src/every-endpoint.ts'
import { claim, table } from './say.ts'
import type { DemoService } from './service.ts'

const minutes = 10

/** What a reviewer of ten minutes is shown of the session, and why, rule by rule. */
export const checkMoments = async ({ url, owner }: DemoService, sessionId: string): Promise<void> => {
  const portal = createClient({ baseUrl: url })
  const signedIn = await portal.call('auth.login', { body: owner })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { data } = await portal.call('portal.coverage', {
    params: { id: sessionId },
    headers: { cookie },
    query: { minutes, limit: 100 },
  })
  const rows = data.rules.map(({ rule, found, chosen, choice }) => [rule, `${chosen} of ${found}`, choice ?? ''])
  console.log(`\nWhat a reviewer with ${minutes} minutes is shown\n\n${table(['rule', 'chosen', 'why'], rows)}\n`)
  const found = data.rules.reduce((sum, rule) => sum + rule.found, 0)
  claim(
    data.total === Math.min(minutes, found) && data.rules.every(({ choice }) => choice !== null && choice !== ''),
    `${data.total} of ${found} moments are shown to a reviewer with ${minutes} minutes, and each rule says why`,
  )
}

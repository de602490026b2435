import { randomBytes } from 'node:crypto'
import { bootstrapOrg } from '../domains/orgs/bootstrap.service.ts'
import { anyOrg } from '../domains/orgs/orgs.service.ts'
import type { Parts } from '../kernel/parts.ts'

const firstWords = (
  url: string,
  made: { sandboxKey: string; orgId: string },
  login: { email: string; password: string },
) => `
This is a first start, so there is a demo organisation now (${made.orgId}). These are shown once:

  sandbox key      ${made.sandboxKey}
  owner's login    ${login.email}
  password         ${login.password}

Try next:

  curl -s ${url}/v1/api/me -H 'Authorization: Bearer ${made.sandboxKey}'
  curl -s ${url}/v1/api/sessions -H 'Authorization: Bearer ${made.sandboxKey}' -H 'Content-Type: application/json' -d '{"externalId":"REQ-1","candidateLabel":"Candidate 1"}'
  npm run demo

The reference and the guide are at ${url}/docs.
`

/** Says where the server listens; on a first start it makes a demo organisation and shows how to begin. */
export const welcome = async (app: Parts, url: string): Promise<void> => {
  console.log(`The service listens on ${url}`)
  if (await anyOrg({ reader: app.db.reader })) {
    console.log(`The reference and the guide are at ${url}/docs.`)
    return
  }
  const login = { email: 'owner@demo.example', password: randomBytes(12).toString('base64url') }
  const made = await bootstrapOrg(app, { org: 'Demo', ...login })
  console.log(firstWords(url, made, login))
}

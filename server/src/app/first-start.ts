import { anyOrg } from '../domains/organisation/orgs/orgs.service.ts'
import { adminName } from '../kernel/admin-name.ts'
import type { Parts } from '../kernel/parts.ts'
import { makeDemo } from './demo-organisation.ts'

const ofDemo = (url: string, made: Awaited<ReturnType<typeof makeDemo>>) => `
This is a first start, so there is a demo organisation now (${made.orgId}). These are shown once:

  sandbox key      ${made.sandboxKey}
  owner's login    ${made.email}
  password         ${made.password}

Play an interview in the browser, with the sandbox key:

  ${url}/docs/console

or make the first call here:

  curl -s ${url}/v1/api/me -H 'Authorization: Bearer ${made.sandboxKey}'

When you no longer need it:  ${adminName} demo remove
Requests appear below as they are answered. Ctrl+C ends the server.
`

const withoutOrg = `There is no organisation yet. Make one:
  ${adminName} bootstrap --org NAME --email E`

/**
 * Says where the server listens. On a first start in a terminal it makes a demo organisation and shows how to begin; never
 * in production, and never where nobody reads what is shown once.
 */
export const welcome = async (
  app: Parts,
  { url, isTerminal }: { readonly url: string; readonly isTerminal: boolean },
  print: (text: string) => void = console.log,
): Promise<void> => {
  print(`The service listens on ${url}`)
  print(`Start page: ${url}/   Guide and reference: ${url}/docs`)
  if (await anyOrg({ reader: app.db.reader })) return
  print(isTerminal && !app.config.production ? ofDemo(url, await makeDemo(app)) : withoutOrg)
}

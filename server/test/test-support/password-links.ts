import { askForLink } from '../../src/domains/access/auth/passwords/password-links.service.ts'
import { parseOutbox } from './mail.ts'
import type { TestServer } from './server.ts'

export const goodPassword = 'nine lanterns over a quiet harbour'

/** Tokens of the links that an address was mailed, oldest first. */
export const mailedTokens = async (server: TestServer, email: string): Promise<string[]> => {
  await server.processAll()
  const mails = await parseOutbox(server)
  return mails
    .filter(({ to }) => to?.some(({ address }) => address === email))
    .flatMap(({ text }) =>
      [...(text ?? '').matchAll(/\/password\/#pwl_\w+\.(pwr_\w+)/g)].map(([, token = '']) => token),
    )
}

/** The token of a link that somebody has just asked for. */
export const passwordToken = async (server: TestServer, email = server.orgs[0].email): Promise<string> => {
  const { app } = server
  await app.db.transact((tx) => askForLink({ ...app, tx }, { email }))
  const token = (await mailedTokens(server, email)).at(-1)
  if (token === undefined) throw new Error(`${email} was sent no link`)
  return token
}

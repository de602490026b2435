import { expect, it } from 'vitest'
import type { SessionStatus } from './agent-session.types.ts'
import { requestsAddress, requestsLink } from './requests-address.ts'

const joined = (server: string, sessionId = 'ses_1', registeredAt: number | undefined = 1) =>
  ({ server, sessionId, registeredAt }) as SessionStatus['joined']
const token = `crq_${'aB3'.repeat(11)}`

it.each([
  ['https://interviews.example', 'https://interviews.example/requests/#ses_1'],
  ['https://interviews.example/', 'https://interviews.example/requests/#ses_1'],
  ['https://interviews.example/a/b//', 'https://interviews.example/a/b/requests/#ses_1'],
  ['http://[::1]:8080', 'http://[::1]:8080/requests/#ses_1'],
])('is under the address of the service, whatever path it has: %s', (server, address) => {
  expect(requestsAddress(joined(server))).toBe(address)
})

it('there is none before anything can have been recorded', () => {
  expect(requestsAddress(undefined)).toBeUndefined()
  const { registeredAt: _, ...asked } = joined('https://interviews.example') ?? {}
  expect(requestsAddress(asked as SessionStatus['joined'])).toBeUndefined()
})

it('what a service calls a session leads nowhere else', () => {
  const address = requestsAddress(joined('https://interviews.example', '../x y#.crq_1'))
  expect(address).toBe('https://interviews.example/requests/#..%2Fx%20y%23.crq_1')
})

it('a link is the address with a token behind it, and nothing that is no such token', () => {
  const address = 'https://interviews.example/requests/#ses_1'
  expect(requestsLink(address, token)).toBe(`${address}.${token}`)
  const others = [
    undefined,
    7,
    '',
    'crq_',
    `sst_${'a'.repeat(32)}`,
    `${token} `,
    `${token}\n`,
    `x${token}`,
    `${token}#x`,
  ]
  for (const other of [...others, `crq_${'a'.repeat(500)}`]) expect(requestsLink(address, other)).toBeUndefined()
})

import { parseArgs } from 'node:util'
import { type SecurityPolicyDocument, ServiceError } from '@integrity/protocol'
import { nextPolicy } from '../domains/candidates/updates/updates.compose.model.ts'
import { policyInForce } from '../domains/candidates/updates/updates.service.ts'
import type { Parts } from '../kernel/parts.ts'
import { type Command, flag, many, oneOf, text } from './admin-command.ts'
import { lifetimeMs, signingCommands, signingOptions, textOf } from './signing.ts'

export const securityPolicyUsage = `  security-policy publish --pinning on|off [--pin HOST=BASE64[,BASE64] …] [--reason TEXT] --key KEYFILE [--expires-days 30] [--json]
      Signs and publishes the next security policy. Without --pin the pins in force stay. A pin is the base64 SHA-256 of a
      certificate's public key; name the next one beside it before a key changes.
  security-policy publish --document FILE --signature FILE.minisig [--json]
      Publishes a policy that was signed elsewhere; security-policy print writes it.
  security-policy show [--json]
      What is in force.`

const options = { ...signingOptions, pinning: text, pin: many, reason: text, json: flag } as const
const read = (args: string[]) => parseArgs({ args, options }).values
type Values = ReturnType<typeof read>

type Pins = SecurityPolicyDocument['pinning']['pins']

const readPins = (given: readonly string[]): Pins => {
  const hosts = new Map<string, string[]>()
  for (const pin of given) {
    const [, host = '', keys = ''] = /^([^=]+)=(.+)$/.exec(pin) ?? []
    if (host === '') throw new ServiceError('invalid_request', `--pin must be HOST=BASE64 (is ${pin})`)
    hosts.set(host.toLowerCase(), [...(hosts.get(host.toLowerCase()) ?? []), ...keys.split(',')])
  }
  return [...hosts].map(([host, spkiSha256]) => ({ host, spkiSha256 }))
}

const compose = async (app: Parts, values: Values) => {
  const enforced = oneOf('pinning', values.pinning, ['on', 'off']) === 'on'
  const before = await policyInForce({ reader: app.db.reader })
  const change = { enforced, pins: values.pin && readPins(values.pin), reason: values.reason }
  return nextPolicy(before?.content, change, { now: app.clock.now(), lifetimeMs: lifetimeMs(values) })
}

const { publish, print } = signingCommands({ kind: 'security_policy', read, compose })

const show: Command = async ({ app, print: say }, args) => {
  const { values } = parseArgs({ args, options: { json: flag } })
  const published = await policyInForce({ reader: app.db.reader })
  if (!published) {
    say(values.json ? 'null' : 'no security policy was published yet')
    return 0
  }
  const { row, content } = published
  if (values.json) say(JSON.stringify({ keyId: row.keyId, ...content }))
  else say(`signed by ${row.keyId}\n${textOf(content).trimEnd()}`)
  return 0
}

export const securityPolicyCommands: Readonly<Record<string, Command>> = {
  'security-policy publish': publish,
  'security-policy print': print,
  'security-policy show': show,
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..', 'src')

/** Who opens connections to somewhere else, and by what they are guarded. Anybody else asks `HttpOut`. */
const openers: Readonly<Record<string, string>> = {
  'platform/ask-address.ts': "the operator's own address, by configuration, asked by the operator's command",
  'platform/http-out/http-out.ts': 'the guarded connector itself',
  'platform/http-out/lookup.ts': 'names, whose addresses the connector then judges',
  'platform/ldap/ldap-connection.ts': 'judges the address by the same rules; tested against a private one',
  'platform/ldap/ldap.ts': 'speaks over the connection above',
  'platform/ldap/ldap-error.ts': 'names of faults',
  'platform/mail/mail.ts': "the operator's own mail server, by configuration",
  'platform/redis/redis.ts': "the operator's own Redis, by configuration",
  'platform/db/postgres/postgres.scrub.ts': "the operator's own database, by configuration",
  'platform/db/postgres/postgres.hearing.ts': "the operator's own database, by configuration",
  'platform/db/postgres/postgres.identity.ts': "the operator's own database, by configuration",
  'platform/db/postgres/postgres.pool.ts': "the operator's own database, by configuration",
  'platform/db/postgres/postgres.pulse.ts': "the operator's own database, by configuration",
  'platform/db/postgres/postgres.snapshot.ts': "the operator's own database, by configuration",
  'platform/db/postgres/postgres.types.ts': 'how values are read',
  'platform/db/postgres/postgres.wakes.ts': "the operator's own database, by configuration",
  'platform/timestamps/timestamp-certificates.ts': 'the certificates that Node.js trusts, and no connection',
  'platform/txt-records.ts': 'asks the name servers of this machine, and nobody else',
  'platform/film/film-process.worker.ts': 'this very process, over a socket of its own',
}

const networks =
  /^import (?!type )(.*?) from '(undici|node:(?:http2?|https|net|tls|dns|dgram)(?:\/promises)?|ldapts|nodemailer|pg|@redis\/client|axios)'/gm
/** A server listens; what it imports for that opens nothing. */
const listening = /^\{ (?:(?:createServer|type \w+|isIP|ServerResponse)(?:, )?)+ \}$/
const bare = /(?<![\w.#])(?:fetch|XMLHttpRequest|EventSource)\(|new WebSocket\(|require\('@redis\/client'\)/

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.(test|test-support)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

const opens = (text: string): boolean =>
  bare.test(text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '')) ||
  [...text.matchAll(networks)].some(([, names = '']) => !listening.test(names))

describe('everything outbound', () => {
  it('goes through the guarded connector, or is named here with its guard', () => {
    const found = sources(root).filter((file) => opens(readFileSync(file, 'utf8')))
    expect(found.map((file) => relative(root, file)).toSorted()).toEqual(Object.keys(openers).toSorted())
  })

  it.each([
    ["await fetch('https://example.org')", true],
    ["import { request } from 'undici'", true],
    ["import { connect } from 'node:tls'", true],
    ["import { createServer, type Server } from 'node:http'", false],
    ["import type { Agent } from 'undici'", false],
    ["this.fetch('x')\n// fetch('y')", false],
  ])('is found in %s: %s', (text, isFound) => expect(opens(text)).toBe(isFound))
})

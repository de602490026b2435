// The baseline that a team would write: Fastify with the plugins that most services have (helmet, rate limit), an API key
// whose hash is looked up, one row by its key from better-sqlite3, and an answer by a schema. It has the same columns
// to read as ours and gives the same body.
import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Database from 'better-sqlite3'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

interface Answer {
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string }
}
const answer = JSON.parse(process.env['ANSWER'] ?? '{"data":{"id":""}}') as Answer
const key = process.env['KEY'] ?? ''
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const columns = Object.keys(answer.data)
const db = new Database(':memory:')
db.exec('CREATE TABLE keys (hash text PRIMARY KEY, org text NOT NULL)')
db.exec(`CREATE TABLE sessions (${columns.map((name) => `"${name}" text`).join(', ')}, PRIMARY KEY ("id"))`)
db.prepare('INSERT INTO keys VALUES (?, ?)').run(hashOf(key), 'org')
db.prepare(`INSERT INTO sessions VALUES (${columns.map(() => '?').join(', ')})`).run(
  Object.values(answer.data).map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
)
const findKey = db.prepare('SELECT org FROM keys WHERE hash = ?')
const findSession = db.prepare('SELECT * FROM sessions WHERE id = ?')

/** The JSON schema of a value, as somebody would have written it. */
const schemaOf = (value: unknown): object => {
  if (value === null) return { type: ['string', 'null'] }
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOf(value[0]) : {} }
  if (typeof value !== 'object') return { type: typeof value }
  const properties = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, schemaOf(field)]))
  return { type: 'object', properties }
}

const app = fastify()
await app.register(helmet)
await app.register(rateLimit, { max: 1e9, timeWindow: '1 minute' })
app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined || findKey.get(hashOf(token)) === undefined)
    return reply.code(401).send({ error: 'unauthorized' })
  return undefined
})
const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: '^ses_[0-9a-z]{26}$' } },
}
app.get<{ Params: { id: string } }>(
  '/v1/api/sessions/:id',
  { schema: { params, response: { 200: schemaOf(answer) } } },
  async (request, reply) => {
    const row = findSession.get(request.params.id) as Record<string, string> | undefined
    if (!row) return reply.code(404).send({ error: 'not_found' })
    const data = Object.fromEntries(
      columns.map((name) => [
        name,
        typeof answer.data[name] === 'string' ? row[name] : JSON.parse(row[name] ?? 'null'),
      ]),
    )
    return { ...answer, data }
  },
)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ url, pid: process.pid })
process.on('disconnect', () => process.exit(0))

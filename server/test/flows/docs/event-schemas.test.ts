import { type EventType, eventTypes } from '@integrity/protocol'
import { asyncApiDocument } from '@integrity/protocol/asyncapi'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { simulationsOf } from '../sandbox/sandbox.test-support.ts'

const baseUrl = 'https://integrity.example/service'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { BASE_URL: baseUrl } })
})
afterAll(() => server.stop())

const get = (path: string) => fetch(`${server.url}${path}`)

describe('GET /asyncapi.json', () => {
  it('is the AsyncAPI document of the registry, with the address of this service, for any page to read', async () => {
    const response = await get('/asyncapi.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const document = (await response.json()) as { servers: object }
    expect(document).toEqual(JSON.parse(JSON.stringify(asyncApiDocument(baseUrl))))
    expect(document.servers).toMatchObject({ service: { host: 'integrity.example', pathname: '/service' } })
  })
})

describe('GET /schemas/events/{type}.json', () => {
  it('is the schema of each type under its own address, and nothing for another type', async () => {
    const ajv = new Ajv2020({ strict: true })
    addFormats.default(ajv)
    for (const type of eventTypes) {
      const response = await get(`/schemas/events/${type}.json`)
      expect(response.headers.get('content-type'), type).toMatch(/^application\/schema\+json/)
      const schema = (await response.json()) as AnySchemaObject
      expect(schema.$id).toBe(`${baseUrl}/schemas/events/${type}.json`)
      ajv.addSchema(schema)
    }
    expect((await get('/schemas/events/session.cheated.json')).status).toBe(404)
  })

  it('fits every event that a played interview publishes', async () => {
    await simulationsOf(() => server).playWhole('everything_goes_wrong')
    const api = server.client(server.orgs[0].sandboxKey)
    const ofType = (type: EventType) => api.call('events.list', { query: { types: type, limit: 5 } })
    const lists = await Promise.all(eventTypes.map(ofType))
    expect(lists.filter(({ data }) => data.total > 0).length).toBeGreaterThan(5)
    const ajv = new Ajv2020({ strict: true })
    addFormats.default(ajv)
    for (const event of lists.flatMap(({ data }) => data.items)) {
      const schema = (await (await get(`/schemas/events/${event.type}.json`)).json()) as AnySchemaObject
      const fits = ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema)
      expect(fits(event), `${event.type} ${JSON.stringify(fits.errors)}`).toBe(true)
    }
  })
})

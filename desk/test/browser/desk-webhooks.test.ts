import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk, theirsAt } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

/** What was posted to an endpoint, and what it answers from now on. */
interface Receiver {
  readonly url: string
  /** Each endpoint has a path of its own: retries of an earlier test come in while these run. */
  readonly got: { readonly path: string; readonly type: string; readonly signature: string }[]
  answer: number
  readonly server: Server
}

const startReceiver = async (): Promise<Receiver> => {
  const got: Receiver['got'] = []
  const textOf = (request: IncomingMessage, name: string) => String(request.headers[name] ?? '')
  const server = createServer((request, response) => {
    got.push({
      path: request.url ?? '',
      type: textOf(request, 'x-service-event-type'),
      signature: textOf(request, 'x-service-signature'),
    })
    request.resume()
    response.writeHead(receiver.answer).end(receiver.answer === 200 ? 'thank you' : 'the disk is full')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/in`, got, answer: 200, server }
  return receiver
}

describeDesk('webhooks in a browser', {}, ({ team, open: openDesk }) => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(async () => {
    receiver?.server.close()
  })
  const open = (path = '', role: 'owner' | 'reviewer' = 'owner') => openDesk(`developers/webhooks${path}`, role)
  let endpoints = 0
  /** What has come to the endpoint that was made last. */
  const came = () => receiver.got.filter(({ path }) => path === `/in/${endpoints}`)
  const makeEndpoint = async (): Promise<string> => {
    endpoints += 1
    const body = { url: `${receiver.url}/${endpoints}`, eventTypes: ['*'], environment: 'sandbox' }
    return (await portal(team, 'portal.webhooks.create', {}, body)).id
  }

  it('are added by keyboard alone, with the service’s words at the field, and the secret is shown once', async () => {
    const page = await open()
    await onPage(page, 'Webhooks')
    await page.getByLabel('Address').focus()
    await page.keyboard.type('ftp://receiver.example')
    await tabTo(page, 'Add the endpoint')
    await page.locator('.wrong').waitFor()
    await onPage(page, 'Webhooks')
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Address').inputValue()).toBe('ftp://receiver.example')
    await page.getByLabel('Address').fill(receiver.url)
    await tabTo(page, 'Add the endpoint')
    await page.getByText('This is the only time that you see this secret.').waitFor()
    const secret = (await page.locator('.notice code').innerText()).trim()
    expect(secret).toMatch(/^whsec_/)
    await tabTo(page, 'I have stored it')
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('link', { name: receiver.url }).first().waitFor()
  })

  it('get a test event, show each attempt with the answer, and send it again', async () => {
    const id = await makeEndpoint()
    const page = await open(`/${id}`)
    await onPage(page, 'Webhook endpoint')
    await page.getByText('It is on. The service has given up no delivery since the last one that arrived.').waitFor()
    await page.getByText('Nothing was sent to this endpoint yet.').waitFor()
    receiver.answer = 500
    await pressOn(page, 'Send a test event')
    await page.getByText('waits for its first attempt').last().waitFor()
    await team.server.processAll()
    await pressOn(page, 'Look again now')
    await page.getByText('Show 1 attempt').click()
    await page.getByText('the disk is full').waitFor()
    await page.getByText(/Attempt 1 at .*: 500, after/).waitFor()
    await page.getByText('Show the request').first().click()
    await page.getByText(/X-Service-Event-Type: webhook\.test.*"type": "webhook\.test"/s).waitFor()
    await onPage(page, 'Webhook endpoint')
    receiver.answer = 200
    const before = came().length
    await pressOn(page, 'Send a test event')
    await team.server.processAll()
    await pressOn(page, 'Look again now')
    await page.getByRole('button', { name: /^Send it again: webhook.test/ }).click()
    await page.getByText('The service sends it again as a new delivery.').waitFor()
    await team.server.processAll()
    expect(came().length).toBe(before + 2)
    await pressOn(page, 'Look again now')
    await page.getByText('It was sent again on request.').waitFor()
    await page.getByLabel('State').selectOption('delivered')
    await page.getByText('2 of 2 shown').waitFor()
    await expect.poll(() => page.locator('[data-delivery]').count()).toBe(2)
    await team.server.app.db.transact((tx) =>
      tx.run('UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE endpoint_id = ?', [id]),
    )
    await page.reload()
    await page.getByText('3 deliveries in a row did not arrive; the service switches it off after 10.').waitFor()
  })

  it('get an example of a chosen type, marked in the list, and a new secret beside the present one', async () => {
    const id = await makeEndpoint()
    const page = await open(`/${id}`)
    await onPage(page, 'Webhook endpoint')
    await page.getByLabel('Type of the example').selectOption('evidence.ready')
    await pressOn(page, 'Send the example')
    await page.getByText(`The service sends an example of evidence.ready to ${receiver.url}/${endpoints}.`).waitFor()
    await team.server.processAll()
    expect(came().at(-1)?.type).toBe('evidence.ready')
    await pressOn(page, 'Look again now')
    await page.getByText('It is an example.').waitFor()
    await pressOn(page, 'Make a new signing secret')
    await page.getByLabel('The present secret').selectOption('24')
    await page.getByText('For 24 hours every delivery has two signatures').waitFor()
    await onPage(page, 'Webhook endpoint')
    await pressOn(page, 'Replace the secret')
    await page.getByText(/^signs too until/).waitFor()
    await portal(team, 'portal.webhooks.test', { endpointId: id }, {})
    await team.server.processAll()
    expect(came().at(-1)?.signature).toMatch(/^t=\d+,v1=\w+,v1=\w+$/)
  })

  it('send everything since a time again, after a question', async () => {
    const id = await makeEndpoint()
    await portal(team, 'portal.webhooks.test', { endpointId: id }, {})
    await team.server.processAll()
    const page = await open(`/${id}`)
    await titleOn(page, 'Webhook endpoint')
    await page.getByText('Send everything since a time again').click()
    await pressOn(page, 'Send them again')
    await page.getByText('Please give a day and a time.').waitFor()
    await page.getByLabel('Since the day').fill('2020-01-20')
    await pressOn(page, 'Send them again')
    await page.getByText('at most 500').waitFor()
    const before = came().length
    await pressOn(page, 'Send each once more')
    await page.getByText('The service sends 1 event again.').waitFor()
    await team.server.processAll()
    expect(came().length).toBe(before + 1)
  })

  it('say before what stops: off, a new secret, deletion', async () => {
    const id = await makeEndpoint()
    const page = await open(`/${id}`)
    await titleOn(page, 'Webhook endpoint')
    await pressOn(page, 'Switch it off')
    await page.getByText('Events that happen while it is off are never sent to it by themselves.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch it off' }).click()
    await page.getByText('A member has switched it off.').waitFor()
    await pressOn(page, 'Switch it on')
    await page.getByText('The endpoint is on.').waitFor()
    await pressOn(page, 'Make a new signing secret')
    await page.getByText('The present secret stops signing at once').waitFor()
    await pressOn(page, 'Replace the secret')
    expect((await page.locator('.notice code').innerText()).trim()).toMatch(/^whsec_/)
    await pressOn(page, 'Delete this endpoint')
    await page.getByText('This cannot be undone').waitFor()
    await pressOn(page, 'Delete it for good')
    await titleOn(page, 'Webhooks')
    const { items } = await portal(team, 'portal.webhooks.list', {})
    expect(items.map((item) => item.id)).not.toContain(id)
  })

  it('tell whoever types that somebody else has changed it, and lose nothing', async () => {
    const id = await makeEndpoint()
    const page = await open(`/${id}`)
    await titleOn(page, 'Webhook endpoint')
    await page.getByLabel('What it is for').fill('nightly import')
    await portal(team, 'portal.webhooks.patch', { endpointId: id }, { eventTypes: ['session.started'] })
    await pressOn(page, 'Save')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await theirsAt(page, 'Which events').values()).toEqual([
      'All events, those of later versions too',
      'session.started',
    ])
    expect(await page.getByLabel('What it is for').inputValue()).toBe('nightly import')
    await pressOn(page, 'Save')
    await page.getByRole('region', { name: 'What somebody else saved' }).waitFor({ state: 'detached' })
    const { items } = await portal(team, 'portal.webhooks.list', {})
    expect(items.find((item) => item.id === id)).toMatchObject({
      description: 'nightly import',
      eventTypes: ['session.started'],
    })
  })

  it('are read in Hindi, on a narrow page', async () => {
    const page = await open()
    await titleOn(page, 'Webhooks')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await onPage(page, 'वेबहुक')
  })

  it('are offered to nobody who may not', async () => {
    const page = await open('', 'reviewer')
    await titleOn(page, 'There is no such page')
  })
})

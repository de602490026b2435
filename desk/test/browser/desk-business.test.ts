import { afterAll, beforeAll, expect, it } from 'vitest'
import { secretAccessKey } from '../../../server/test/flows/storage/storage.test-support.ts'
import { pendingRequest } from '../../../server/test/test-support/access-requests.ts'
import { interviewed, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { readOutbox } from '../../../server/test/test-support/mail.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { signedNews, takeMoney, theirSubscription } from '../../../server/test/test-support/payments.ts'
import { type PaymentsDouble, startPaymentsDouble } from '../../../server/test/test-support/payments-double.ts'
import { addPerson } from '../../../server/test/test-support/portal.ts'
import { type S3Double, startS3Double } from '../../../server/test/test-support/s3-double.ts'
import { deskOperator } from '../../../server/test/test-support/server.ts'
import { describeDesk, narrow, theirsAt } from './desk-use.test-support.ts'
import { storedIn, tabTo } from './desk-web.test-support.ts'

describeDesk('running an organisation in a browser', { ...narrow, plan: 'free' }, ({ team, open: openDesk }) => {
  let double: S3Double
  let payments: PaymentsDouble
  beforeAll(async () => {
    double = await startS3Double()
    payments = await startPaymentsDouble()
    await interviewed(team)
    await team.server.processAll()
  })
  afterAll(async () => {
    await double?.stop()
    await payments?.stop()
  })
  const open = (path: string, role: 'owner' | 'reviewer' = 'owner') => openDesk(path, role)

  /** Somebody has paid for a plan, and the provider says so. */
  const paid = async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const period = { created: seconds, period_start: seconds, period_end: seconds + 2_592_000 }
    const invoice = { id: 'in_1', status: 'paid', total: 7900, currency: 'usd', ...period }
    payments.invoices = [{ ...invoice, hosted_invoice_url: 'https://invoice.example/1' }]
    const one = theirSubscription(payments, team.orgId, { periodEnd: seconds + 2_592_000 })
    const object = { id: one.id, object: 'subscription', metadata: { org: one.org } }
    const event = { id: 'evt_1', type: 'customer.subscription.updated', livemode: false, data: { object } }
    const { payload, headers } = signedNews(team.server, event, { at: Date.now() })
    await fetch(`${team.server.url}/v1/billing/webhooks/stripe`, { method: 'POST', headers, body: payload })
    await team.server.processAll()
  }

  it('tries a storage in words, keeps what was typed through a refusal, and moves what is elsewhere', async () => {
    const page = await open('organisation/storage')
    await titleOn(page, 'Storage')
    await page.getByText('This storage has not been tried yet.').waitFor()
    await onPage(page, 'Storage')
    await page.getByLabel('Region', { exact: true }).fill('US East')
    await page.getByLabel('Bucket', { exact: true }).fill('evidence')
    await page.getByLabel('Address').fill(double.endpoint)
    await page.getByLabel('Access key ID').fill('key')
    await page.getByLabel('Secret access key').fill(secretAccessKey)
    await pressOn(page, 'Try it and use it')
    await page.getByText('must be a name of a region').waitFor()
    await page.getByLabel('Region', { exact: true }).fill('us-east-1')
    double.fault = () => ({ status: 403, code: 'SignatureDoesNotMatch' })
    await pressOn(page, 'Try it and use it')
    await page
      .getByText(/the secret is not that of/)
      .first()
      .waitFor()
    expect(await page.getByLabel('Secret access key').inputValue()).toBe(secretAccessKey)
    expect(await storedIn(page)).not.toContain(secretAccessKey)
    double.fault = () => undefined
    await pressOn(page, 'Try it and use it')
    await page.getByText('New recordings are stored there from now on.').waitFor()
    await page.getByText('Refusing to overwrite it: works.').waitFor()
    expect(await page.getByLabel('Secret access key').inputValue()).toBe('')
    expect(await page.content()).not.toContain(secretAccessKey)
    await pressOn(page, 'Move them to the storage in use')
    await page.getByText(/moves 100 objects at a time/).waitFor()
    await pressOn(page, 'Move them')
    await page.getByText(/^\d+ objects moved\. Everything is in the storage in use\.$/).waitFor()
    expect(double.objects.size).toBeGreaterThanOrEqual(2)
    double.fault = ({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined)
    await pressOn(page, 'Try this storage again')
    await page.getByText('Deleting it: fails.').waitFor()
    double.fault = () => undefined
    await onPage(page, 'Storage')
  })

  it('tells the second of two owners who choose a storage, and keeps what they typed', async () => {
    const page = await open('organisation/storage')
    await titleOn(page, 'Storage')
    await page.getByText('Chosen', { exact: true }).waitFor()
    await page.getByLabel('Region', { exact: true }).fill('us-east-1')
    await page.getByLabel('Bucket', { exact: true }).fill('evidence')
    await page.getByLabel('Address').fill(double.endpoint)
    await page.getByLabel('Folder').fill('second')
    await page.getByLabel('Access key ID').fill('key')
    await page.getByLabel('Secret access key').fill(secretAccessKey)
    const faster = {
      provider: 's3',
      endpoint: double.endpoint,
      region: 'us-east-1',
      bucket: 'evidence',
    } as const
    const secret = { accessKeyId: 'key', secretAccessKey }
    await portal(team, 'portal.storage.put', {}, { ...faster, ...secret, prefix: 'first' })
    await pressOn(page, 'Try it and use it')
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await theirsAt(page, 'Folder').values()).toEqual(['second', 'first/'])
    expect(await page.getByLabel('Folder').inputValue()).toBe('second')
    expect(await page.getByLabel('Secret access key').inputValue()).toBe(secretAccessKey)
    await pressOn(page, 'Try it and use it')
    await page.getByText('second/', { exact: true }).waitFor()
  })

  it('adds a key of its own, says at the field why one is refused, and asks before it removes one', async () => {
    const page = await open('organisation/storage')
    await page.getByText('There is no key of your own.').waitFor()
    await page.getByLabel('Name of the key').fill('Safe in Pune')
    await page.getByLabel('Recipient').fill('age1nothing')
    await pressOn(page, 'Add this key')
    await page.getByText('must be an X25519 recipient of age (`age1…`)').waitFor()
    await page.getByLabel('Recipient').fill('age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p')
    await pressOn(page, 'Add this key')
    await page.getByText(/Safe in Pune · age1ql3z7/).waitFor()
    await page.getByRole('button', { name: 'Remove Safe in Pune' }).click()
    await page.getByText(/Nothing new is sealed to this key any more/).waitFor()
    await onPage(page, 'Storage')
    await pressOn(page, 'Remove')
    await page.getByText(/in force from .* to .* \(UTC\)/).waitFor()
  })

  it('draws what came and went, for a period of the days that the service has counted, and as a table', async () => {
    const page = await open('organisation/usage')
    await titleOn(page, 'Usage')
    await page.getByText('Pictures of displays').waitFor()
    const plot = page.getByRole('img', { name: /^What came and went each day/ })
    await plot.waitFor()
    await onPage(page, 'Usage')
    const counted = async () => {
      const answer = page.waitForResponse((response) => response.url().includes('/usage?'))
      await page.getByLabel('Period').selectOption('7')
      return new URL((await answer).url()).searchParams
    }
    const period = await counted()
    const today = new Date(team.server.app.clock.now()).toISOString().slice(0, 10)
    expect(Date.parse(period.get('to') ?? '')).toBe(Date.parse(`${today}T00:00:00Z`) + 86_400_000)
    expect(Date.parse(period.get('from') ?? '')).toBe(Date.parse(`${today}T00:00:00Z`) - 6 * 86_400_000)
    await page.getByText('What came and went each day: show as a table').click()
    await expect.poll(() => page.locator('figure tbody tr').count()).toBe(7)
    expect(await page.locator('figure tbody tr').last().textContent()).toMatch(/kB|bytes/)
  })

  it('draws it in the colours of the page, as wide as there is room, with a script of its own', async () => {
    const page = await open('organisation/usage')
    const refused: string[] = []
    page.on('console', (message) => (message.type() === 'error' ? refused.push(message.text()) : undefined))
    const plot = page.getByRole('img', { name: /^What came and went each day/ })
    await plot.locator('canvas').waitFor()
    const width = async (): Promise<number> => (await plot.locator('canvas').boundingBox())?.width ?? 0
    const colours = (): Promise<string> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('.plot canvas')
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        const seen = new Set()
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] === 255) seen.add([data[at], data[at + 1], data[at + 2]].join(' '))
        return [...seen].join(',')
      })()`)
    await expect.poll(colours).toContain('29 79 145')
    const narrow = await width()
    await page.setViewportSize({ width: 700, height: 720 })
    await expect.poll(width).toBeGreaterThan(narrow + 200)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(colours).toContain('138 180 248')
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' })
    await expect.poll(colours).not.toContain('138 180 248')
    expect(refused).toEqual([])
  })

  it('says how the work goes', async () => {
    const page = await open('organisation/insights?days=90')
    await titleOn(page, 'Insights')
    await page.getByRole('img', { name: /^Ended, .* at most 1 on one day/ }).waitFor()
    await page.getByText(/^1 candidate invited:/).waitFor()
    expect(await page.getByLabel('Period').inputValue()).toBe('90')
    await onPage(page, 'Insights')
  })

  it('says in numbers what a plan costs and holds, opens the payment page, and cancels only after asking', async () => {
    const page = await open('organisation/plan')
    await page.getByText(/takes no money for it/).waitFor()
    await onPage(page, 'Plan and invoices')
    takeMoney(team.server, payments)
    payments.now = Date.now
    await page.reload()
    await page.getByText('Your plan: Free').waitFor()
    await page.getByLabel('Where you pay from').selectOption('US')
    await page.getByLabel('Members it is for').fill('50')
    await pressOn(page, 'Choose Team')
    const question = page.getByRole('dialog', { name: 'Choose Team' })
    await question.getByText(/US\$79\.00 each month for Team: 100 interviews a month; 15 members/).waitFor()
    await pressOn(page, 'Prepare the payment page')
    await page.getByText('the plan team holds 15 members; choose one that holds 50').waitFor()
    expect(await page.getByLabel('Members it is for').inputValue()).toBe('50')
    await page.getByLabel('Members it is for').fill('12')
    await pressOn(page, 'Choose Team')
    await pressOn(page, 'Prepare the payment page')
    await page.getByRole('link', { name: /^Go to the payment page for Team/ }).waitFor()
    await onPage(page, 'Plan and invoices')
    await paid()
    await page.reload()
    await page.getByText('Your plan: Team').waitFor()
    await page.getByRole('link', { name: 'Open in_1' }).waitFor()
    await pressOn(page, 'Cancel at the end of the paid time')
    const asked = page.getByRole('dialog', { name: 'Cancel at the end of the paid time' })
    await asked.getByText(/the free plan holds: 10 interviews a month; 3 members; 5 GB stored/).waitFor()
    await asked.getByRole('button', { name: 'Cancel at the end of the paid time' }).click()
    await page.getByText('Ends', { exact: true }).waitFor()
    await onPage(page, 'Plan and invoices')
  })

  it('states what happens to the data of candidates, and prints it without the ways to other pages', async () => {
    const page = await open('organisation/data-processing')
    await page.getByText(/from the configuration in force at/).waitFor()
    await page.getByText('The service decides nothing about a candidate.').waitFor()
    await onPage(page, 'Data processing')
    await page.getByText('owner', { exact: true }).waitFor()
    await page.evaluate('window.print = () => { document.title = "printed" }')
    await pressOn(page, 'Print this statement')
    expect(await page.title()).toBe('printed')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Print this statement' }).count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.getByRole('heading', { name: 'Where data goes' }).waitFor()
  })

  it('lets an operator approve and decline with a reason, by keyboard, and tells anybody else who they are', async () => {
    const [first, second] = [await pendingRequest(team.server), await pendingRequest(team.server)]
    const page = await openDesk('access-requests', await addPerson(team.server, deskOperator))
    await titleOn(page, 'Requests for access')
    await page.getByRole('heading', { name: first.organisation }).waitFor()
    await onPage(page, 'Requests for access')
    await page.getByRole('button', { name: `Approve ${first.organisation}` }).press('Enter')
    await page.getByText(`One letter goes to ${first.email} with a link`).waitFor()
    await tabTo(page, 'Approve')
    await page.getByText(`${first.organisation} is approved. The letter goes to ${first.email}.`).waitFor()
    await page.getByRole('heading', { name: first.organisation }).waitFor({ state: 'detached' })
    await page.getByLabel('Reason for declining').fill('We begin with hospitals.')
    await page.reload()
    await page.getByLabel('Reason for declining').fill('We begin with schools.')
    await page.getByRole('button', { name: `Decline ${second.organisation}` }).click()
    await page.getByText(/with the reason that you wrote/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Nobody is waiting for a decision.').waitFor()
    await team.server.processAll()
    const letters = (await readOutbox(team.server)).filter(({ text }) => text.includes('We begin with schools.'))
    expect(letters.map(({ to }) => JSON.stringify(to))).toEqual([expect.stringContaining(second.email)])
    await page.getByLabel('State').selectOption('approved')
    await page.getByRole('button', { name: `Send the link again: ${first.organisation}` }).waitFor()
    await onPage(page, 'Requests for access')
    const other = await open('access-requests', 'owner')
    await other.getByText(/This page is for the operators of this service/).waitFor()
    expect(await other.getByText(second.organisation).count()).toBe(0)
  })

  it('offers a reviewer none of it', async () => {
    const page = await open('organisation/storage', 'reviewer')
    await titleOn(page, 'There is no such page')
    for (const name of ['Storage', 'Usage', 'Plan and invoices', 'Data processing'])
      expect(await page.getByRole('link', { name }).count()).toBe(0)
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AtsDouble, haveAts, startAtsDouble } from '../../../server/test/test-support/ats-double.ts'
import { onPage } from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { describeDesk } from './desk-use.test-support.ts'

const calls = ['list-tests', 'send-test', 'test-status', 'response-error']

describeDesk('an assessment partner in a browser', { own: true }, ({ team, open: openDesk }) => {
  let ats: AtsDouble
  beforeAll(async () => {
    ats = await startAtsDouble()
    haveAts(team.server, ats)
  })
  afterAll(() => ats?.stop())

  /** As Greenhouse calls: an address of the page, with the key as user name. */
  const asGreenhouse = (address: string, key: string, body?: object): Promise<Response> =>
    fetch(address, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const addressesOn = async (page: Page): Promise<string[]> => {
    const shown = page.getByText(/\/v1\/integrations\/assessments\//)
    await shown.first().waitFor()
    return shown.allTextContents()
  }

  it('is connected without credentials, gives addresses and a key that Greenhouse can call with, and a new key', async () => {
    const page = await openDesk('connections/hiring-systems', await addMember(team.server, 'admin', team.orgId))
    await onPage(page, 'Hiring systems')
    await page.getByLabel('System', { exact: true }).selectOption('greenhouse_assessment')
    await page.getByLabel('Name here').fill('Assessments')
    await pressOn(page, 'Try and connect')
    const key = (await page.getByText(/^asm_\w+$/).textContent()) ?? ''
    const addresses = await addressesOn(page)
    expect(addresses.map((address) => address.split('/').at(-1))).toEqual(calls)
    const [list, send, status] = addresses as [string, string, string]
    expect(await (await asGreenhouse(list, key)).json()).toMatchObject([{ partner_test_id: expect.any(String) }])

    const [test] = (await (await asGreenhouse(list, key)).json()) as { partner_test_id: string }[]
    const candidate = {
      first_name: 'Asha',
      last_name: 'Verma',
      email: 'asha@example.org',
      greenhouse_profile_url: 'https://app.greenhouse.io/people/7001?application_id=9001',
    }
    const wanted = { ...test, candidate, sent_by: 'recruiter@example.org', url: `${ats.url}/tests/1` }
    const sent = await asGreenhouse(send, key, wanted)
    expect(sent.status).toBe(200)
    const { partner_interview_id: id } = (await sent.json()) as { partner_interview_id: string }
    const read = await asGreenhouse(`${status}?partner_interview_id=${id}`, key)
    expect(await read.json()).toMatchObject({ partner_status: 'invited' })

    await page.reload()
    await page.getByRole('link', { name: 'Assessments' }).click()
    await onPage(page, 'Hiring system')
    expect(await addressesOn(page)).toEqual(addresses)
    expect(await page.content()).not.toContain(key)
    await pressOn(page, 'Make a new secret')
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click()
    const renewed = (await page.getByText(/^asm_\w+$/).textContent()) ?? ''
    expect(renewed).not.toBe(key)
    expect((await asGreenhouse(list, key)).status).toBe(401)
    expect((await asGreenhouse(list, renewed)).status).toBe(200)
  })
})

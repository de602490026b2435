import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stageNews } from '../../../server/test/test-support/ats.ts'
import {
  type AtsDouble,
  haveAts,
  startAtsDouble,
  theirApplicant,
} from '../../../server/test/test-support/ats-double.ts'
import { theirCredentials } from '../../../server/test/test-support/ats-systems.ts'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { describeDesk } from './desk-use.test-support.ts'

// Its providers of identity are real ones, where the connection is tested.
describeDesk(
  'what connections have done, in a browser',
  { overrides: { oidc: undefined } },
  ({ team, open: openDesk }) => {
    let ats: AtsDouble
    let workflow: Server
    let answer = 200
    const posted: string[] = []
    beforeAll(async () => {
      ats = await startAtsDouble()
      haveAts(team.server, ats)
      workflow = createServer((request, response) => {
        request.on('data', (part: Buffer) => posted.push(part.toString('utf8')))
        request.on('end', () => response.writeHead(answer).end())
      })
      await new Promise<void>((resolve) => workflow.listen(0, '127.0.0.1', resolve))
    })
    afterAll(async () => {
      workflow?.close()
      await ats?.stop()
    })
    const open = async (path: string, title: string): Promise<Page> => {
      const page = await openDesk(path, 'owner')
      await titleOn(page, title)
      return page
    }

    it('a chat app shows what it announced and why it failed, and announces it again', async () => {
      const { port } = workflow.address() as AddressInfo
      const body = { provider: 'teams', url: `http://127.0.0.1:${port}/workflow`, label: 'Hiring' }
      const { integration } = await portal(team, 'portal.chat.install', {}, body)
      const page = await open(`connections/chat/${integration?.id}`, 'Chat app')
      await page.getByLabel('An interview was scheduled').check()
      await pressOn(page, 'Save')
      await page.getByText('The change is saved.').waitFor()
      answer = 413
      await team.api.call('sessions.create', { body: { candidateLabel: 'Asha R.' } })
      await team.server.processAll()
      await page.reload()
      await page.getByText('the workflow refuses it (413)').waitFor()
      await page.getByLabel('State').selectOption('failed')
      await onPage(page, 'Chat app')
      answer = 200
      const before = posted.length
      await page.getByRole('button', { name: /^Run it again: An interview was scheduled/ }).click()
      await page.getByText('It runs again, as a new entry').waitFor()
      await team.server.processAll()
      expect(posted.length).toBe(before + 1)
      // Nobody is named where that was not chosen.
      expect(posted.join('')).not.toContain('Asha')
      await page.getByLabel('State').selectOption('delivered')
      await page.getByText(/^delivered · .* · 1 attempt/).waitFor()
    })

    it('a hiring system gives each stage its policy, and shows what came of a stage', async () => {
      const policy = await portal(team, 'portal.policies.create', {}, { name: 'Onsite rules', config: {} })
      const credentials = theirCredentials.lever
      const made = await portal(team, 'portal.ats.connect', {}, { provider: 'lever', label: 'Hiring', credentials })
      const page = await open(`connections/hiring-systems/${made.id}`, 'Hiring system')
      await page.getByLabel('Stages that make an interview').fill('Technical interview')
      await pressOn(page, 'Add a stage')
      await page.getByLabel('Stage 1', { exact: true }).fill('Technical interview')
      await page.getByLabel('Policy for stage 1').selectOption({ label: 'Onsite rules' })
      await pressOn(page, 'Save')
      await page.getByText('The change is saved.').waitFor()
      const person = theirApplicant(ats)
      const { headers, payload } = stageNews.lever(person, { now: Date.now(), secret: made.inboundSecret })
      expect((await fetch(made.inboundUrl, { method: 'POST', headers, body: payload })).status).toBe(200)
      await team.server.processAll()
      const query = { externalId: `lever:${person.applicationId}` }
      expect((await team.api.call('sessions.list', { query })).data.items).toMatchObject([{ policyId: policy.id }])
      await page.reload()
      await page.getByText('A candidate entered a stage', { exact: false }).first().waitFor()
      await onPage(page, 'Hiring system')
    })

    it('a client of OpenID Connect is set, with the service’s words at the field, and its secret is never shown again', async () => {
      const page = await open('connections/sso', 'Single sign-on')
      await page.getByLabel('Kind').selectOption('oidc')
      await page.getByLabel('Issuer of the identity provider').fill('http://127.0.0.1:9')
      await page.getByLabel('Client ID').fill('integrity')
      await page.getByLabel('Client secret').fill('of-the-client-4711')
      await page.getByLabel('Scopes').fill('email')
      await pressOn(page, 'Save the connection')
      await page.getByText('must hold openid').waitFor()
      expect(await page.getByLabel('Client secret').inputValue()).toBe('of-the-client-4711')
      await page.getByLabel('Scopes').fill('openid email')
      await pressOn(page, 'Save the connection')
      await page.getByText('The connection is saved. Test it now.').waitFor()
      expect(await page.content()).not.toContain('of-the-client-4711')
      await pressOn(page, 'Test the connection')
      await page
        .getByText(/: does not work\./)
        .first()
        .waitFor()
      await page.getByText(/^The test of .* did not work\.$/).waitFor()
      await onPage(page, 'Single sign-on')
    })
  },
)

import { rmSync } from 'node:fs'
import type { BuiltInRole, PlanName } from '@integrity/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import type { Team } from '../../../server/test/test-support/link-pages.ts'
import { givePlan } from '../../../server/test/test-support/payments.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import type { RoomVisit, VisitOptions } from '../../../server/test/test-support/room-pages.ts'
import { newOrg, type ServerOptions, type TestServer, testPassword } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { startDesk } from './desk-web.test-support.ts'

interface DeskOptions extends VisitOptions {
  /** A server of the suite's own, for what is of the whole installation, such as the domain of a single sign-on. */
  readonly own?: boolean
  /** The clock of a server of the suite's own. */
  readonly now?: () => number
  /** Of a server of the suite's own. */
  readonly overrides?: ServerOptions['overrides']
  readonly timeout?: number
  /** Of the suite's organisations; one in which nobody runs out of interviews unless said. */
  readonly plan?: PlanName
}

interface OpenOptions extends VisitOptions {
  /** Before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** What a suite of the desk has, from its first hook on. */
interface Desk {
  /** The suite's organisations have nothing in them that another suite has made. */
  readonly team: Team
  readonly url: () => string
  /** Somebody's browser, in which nobody has signed in. */
  readonly visit: (options?: VisitOptions) => Promise<RoomVisit>
  /**
   * The desk at this path, in a browser of somebody's own, who has signed in over the API: a new member of the team with
   * this role, or whoever has this address. The sign-in's page has tests of its own.
   */
  readonly open: (path: string, who: BuiltInRole | { readonly email: string }, options?: OpenOptions) => Promise<Page>
}

/** A phone's width, which is the narrowest that the desk is drawn for. */
export const narrow = { width: 360, height: 720 } as const

/** What a form shows of a field that somebody else has saved meanwhile, and the way to choose. */
export const theirsAt = (page: Page, label: string) => {
  const group = page.locator('.theirs', { has: page.locator('legend', { hasText: label }) })
  return {
    values: async () => {
      await group.waitFor()
      return group.locator('.their-value').allTextContents()
    },
    keep: group.getByLabel(/^Keep mine/),
    take: group.getByLabel(/^Take theirs/),
  }
}

let started: Promise<Team> | undefined
/** The server of this process, for suites that keep apart by organisations: it ends with the process. */
const sharedDesk = (): Promise<Team> => {
  started ??= startDesk().then((team) => {
    process.once('exit', () => rmSync(team.server.app.config.dataDir, { recursive: true, force: true }))
    return team
  })
  return started
}

/** The same server with two organisations that nobody else has. */
const withOwnOrgs = async ({ server }: Team, plan: PlanName): Promise<Team> => {
  const orgs = [await newOrg(server.app), await newOrg(server.app)] as const
  for (const { orgId } of orgs) await givePlan(server, orgId, plan)
  const own: TestServer = Object.create(server, { orgs: { value: orgs } })
  return { server: own, orgId: orgs[0].orgId, api: server.client(orgs[0].liveKey) }
}

/** Signs in at the browser of this page, without its pages. */
export const signInOver = async (page: Page, url: string, email: string): Promise<void> => {
  const answer = await page.request.post(`${url}/v1/auth/login`, { data: { email, password: testPassword } })
  if (answer.status() !== 200) throw new Error(`${email} could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** A suite over the desk in a browser; it is skipped, and says so, where no browser is. */
export const describeDesk = (title: string, options: DeskOptions, suite: (desk: Desk) => void): void => {
  const { now, overrides, timeout = 120_000, plan = 'enterprise', ...others } = options
  const { own = now !== undefined || overrides !== undefined, ...view } = others
  const chromium = findChromium(title)
  describe.skipIf(!chromium)(title, { timeout }, () => {
    let made: Team | undefined
    let browser: Browser
    const ready = (): Team => {
      if (!made) throw new Error('The desk starts with the first hook.')
      return made
    }
    const team: Team = {
      get server() {
        return ready().server
      },
      get orgId() {
        return ready().orgId
      },
      get api() {
        return ready().api
      },
    }
    const url = () => team.server.app.config.baseUrl
    beforeAll(async () => {
      browser = await sharedChromium(chromium)
      made = own ? await startDesk(now, overrides) : await withOwnOrgs(await sharedDesk(), plan)
    })
    afterAll(async () => {
      await closeContexts(browser)
      if (own) await made?.server.stop()
    })
    const usually = { camera: false, locale: 'en-GB', ...view }
    const visit = useVisits({ browser: () => browser, url, usually })
    const open: Desk['open'] = async (path, who, { prepare, ...visitOptions } = {}) => {
      const { email } = typeof who === 'string' ? await addMember(team.server, who, team.orgId) : who
      const { page } = await visit(visitOptions)
      await signInOver(page, url(), email)
      await prepare?.(page)
      await page.goto(`${url()}/desk/${path}`)
      return page
    }
    suite({ team, url, visit, open })
  })
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatDouble, startChatDouble } from '../../../test/test-support/chat-double.ts'
import { createHttpOut, type HttpOut } from '../http-out/http-out.ts'
import { createSlack } from './slack.ts'
import { createTeams, workflowChannel } from './teams.ts'
import type { Chat, ChatAccess } from './types.ts'

const news = { text: 'An interview was scheduled', link: { label: 'Look', url: 'https://example.org/1' } }

describe('what really happens at a chat platform', () => {
  let http: HttpOut
  let double: ChatDouble
  beforeAll(async () => {
    double = await startChatDouble()
    http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
  })
  beforeEach(() => {
    double.fault = undefined
    double.isGrown = false
    for (const list of [double.asked, double.broken, double.posted, double.cards]) list.length = 0
    double.tokens.add('xoxb-good')
  })
  afterEach(() => expect(double.broken).toEqual([]))
  afterAll(async () => {
    await http.close()
    await double.stop()
  })

  const slack = (): [Chat, ChatAccess, string] => [
    createSlack({ api: double.url, clientId: undefined, clientSecret: undefined }, http),
    { provider: 'slack', secret: 'xoxb-good' },
    'C0GENERAL',
  ]
  const teams = (sig = 'good'): [Chat, ChatAccess, string] => [
    createTeams(http),
    { provider: 'teams', secret: `${double.url}/workflows/1?sp=run&sig=${sig}` },
    workflowChannel,
  ]
  const refusal = async (asking: Promise<unknown>) =>
    asking.then(
      () => undefined,
      ({ kind, message, waitMs }: { kind: string; message: string; waitMs?: number }) => ({ kind, message, waitMs }),
    )

  for (const [name, platform] of [
    ['Slack', slack],
    ['Teams', () => teams()],
  ] as const)
    describe(name, () => {
      const post = () => {
        const [chat, access, channel] = platform()
        return chat.post(access, channel, news)
      }

      it('takes what its description says', async () => {
        await post()
        expect(double.posted.length + double.cards.length).toBe(1)
      })

      it('is left alone for as long as it asks', async () => {
        double.fault = () => ({ status: 429, headers: { 'retry-after': '17' }, body: '' })
        expect(await refusal(post())).toMatchObject({ kind: 'waits', waitMs: 17_000 })
        const at = Math.floor(Date.now() / 1000) * 1000
        const headers = { date: new Date(at).toUTCString(), 'retry-after': new Date(at + 60_000).toUTCString() }
        double.fault = () => ({ status: 429, headers, body: '' })
        expect(await refusal(post())).toMatchObject({ kind: 'waits', waitMs: 60_000 })
        double.fault = () => ({ status: 429, headers: { 'retry-after': 'soon' }, body: '' })
        expect(await refusal(post())).toMatchObject({ kind: 'waits', waitMs: undefined })
      })

      it('is asked again when it is down, or cut off', async () => {
        double.fault = () => ({ status: 503, body: '<html>' })
        expect(await refusal(post())).toMatchObject({ kind: 'waits', message: expect.stringContaining('503') })
        double.fault = () => 'cut'
        expect(await refusal(post())).toMatchObject({ kind: 'waits', message: expect.stringContaining('reached') })
      })

      it('that has ended the access is not asked again, and its words repeat no secret', async () => {
        const [chat, access, channel] = name === 'Slack' ? slack() : teams('old')
        double.tokens.delete('xoxb-good')
        const ended = await refusal(chat.post(access, channel, news))
        expect(ended).toMatchObject({ kind: 'ends' })
        expect(ended?.message).not.toMatch(/xoxb|sig=/)
      })
    })

  it('Slack may say more than it does today', async () => {
    double.isGrown = true
    const [chat, access, channel] = slack()
    await chat.post(access, channel, news)
    expect((await chat.channels(access)).map(({ id }) => id)).toEqual(['C0GENERAL', 'G00HIRING'])
    expect(await chat.revoke(access)).toBe(true)
  })

  it('Slack is asked for every page of channels, an empty one among them', async () => {
    const [chat, access] = slack()
    expect(await chat.channels(access)).toHaveLength(2)
    expect(double.asked.map(({ query }) => query.get('cursor'))).toEqual([null, '1', '2'])
  })

  it.each([
    ['{"ok":false,"error":"rate_limited"}', 'waits', 'in trouble'],
    ['{"ok":false,"error":"team_added_to_org"}', 'waits', 'in trouble'],
    ['{"ok":false,"error":"restricted_action_read_only_channel"}', 'refused', 'nobody but its owners'],
    ['{"ok":false,"error":"channel_is_archived"}', 'refused', 'archived'],
    ['{"ok":false,"error":"no_permission"}', 'refused', 'lacks a right'],
    ['{"ok":false,"error":null}', 'refused', 'no reason'],
  ])('a refusal of Slack is read as its makers write it: %s', async (body, kind, words) => {
    double.fault = () => ({ status: 200, body })
    const [chat, access, channel] = slack()
    expect(await refusal(chat.post(access, channel, news))).toMatchObject({
      kind,
      message: expect.stringContaining(words),
    })
  })

  it('what Slack may leave out, or say nothing with, is not needed', async () => {
    const channel = { id: 'C1', name: 'general', is_private: null, is_member: null }
    double.fault = () => ({
      status: 200,
      body: JSON.stringify({ ok: true, error: null, channels: [channel], response_metadata: null }),
    })
    const [chat, access] = slack()
    expect(await chat.channels(access)).toEqual([{ id: 'C1', name: 'general', isPrivate: false }])
  })

  it.each([
    ['channels', '{"ok":true}'],
    ['channels.0.id', '{"ok":true,"channels":[{"name":"general"}]}'],
    ['ok', '{"okay":true}'],
  ])('an answer of Slack without %s is said to be one', async (field, body) => {
    double.fault = () => ({ status: 200, body })
    const [chat, access] = slack()
    expect(await refusal(chat.channels(access))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(`interface says: ${field} is`),
    })
  })
})

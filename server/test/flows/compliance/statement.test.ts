import { createHash } from 'node:crypto'
import { consentTexts } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { restMs } from '../../../src/domains/administration/compliance/configuration-watch.parts.ts'
import { parseVerifierKey, verifyCheckpoint } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { canonicalize } from '../../../src/platform/canonical-json.ts'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { tokenIn } from '../../test-support/invitation-bench.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describePeople } from '../people/people.test-support.ts'
import { retentionOf } from '../retention/retention.test-support.ts'
import { policiesOf } from '../session-policies/session-policies.test-support.ts'

describePeople('the statement for works councils and data protection', (t) => {
  const params = () => ({ orgId: t.orgId })
  const sentences = async (locale = 'en') =>
    asMember(t.server, 'portal.compliance.sentences', { params: params(), query: { locale } })
  const textsOf = async (section: string, locale = 'en') =>
    (await sentences(locale)).sentences.filter((one) => one.section === section).map(({ text }) => text)
  const download = async (query: string) => {
    const headers = await portalCookie(t.server)
    const answer = await fetch(`${t.server.url}/v1/orgs/${t.orgId}/compliance/statement?${query}`, { headers })
    expect(answer.status).toBe(200)
    return answer
  }
  /** What is mailed once the configuration has rested. */
  const letters = async () => {
    t.server.clock.advance(restMs)
    await t.server.processAll()
    return (await readOutbox(t.server)).filter(({ subject }) => /statement/.test(subject))
  }
  /** The letters that a change has made, from a statement that is up to date. */
  const toldOf = async (change: () => Promise<unknown>) => {
    const before = (await letters()).map(({ id }) => id)
    await change()
    return (await letters()).filter(({ id }) => !before.includes(id))
  }
  const quoted = ({ text }: { text: string }) => text.split('\n').filter((line) => line.startsWith('>'))
  const set = (body: object) => asMember(t.server, 'portal.orgs.dataProtection.set', { params: params(), body })

  it('has what holds it beside each sentence, in both languages', async () => {
    const [en, hi] = [await sentences('en'), await sentences('hi-IN')]
    expect(hi.locale).toBe('hi')
    const testsOf = (of: typeof en) => of.sentences.map(({ heldBy: { file, test } }) => `${file}: ${test}`)
    expect(testsOf(hi)).toEqual(testsOf(en))
    expect(en.sentences.map(({ heldBy }) => heldBy.name)).toContain('data protection settings')
    expect(new Set(en.sentences.map(({ section }) => section)).size).toBe(10)
    for (const { text, heldBy } of hi.sentences) {
      expect(text).toMatch(/\p{Script=Devanagari}/u)
      expect(heldBy.name).toMatch(/\p{Script=Devanagari}/u)
      expect(heldBy.test).not.toBe('')
    }
    expect(await textsOf('decisions')).toContainEqual(expect.stringContaining('no simplified output'))
  })

  it('says that other voices are recorded, as the consent document does', async () => {
    expect(await textsOf('interviewers')).toContainEqual(expect.stringMatching(/voices.*are recorded/))
    expect(consentTexts.en.lanes.system_audio.text).toContain('voices of the people who speak with you are recorded')
  })

  it('is signed by the key of the checkpoints, and is no other', async () => {
    const text = await (await download('format=json')).text()
    const { sha256, signature, ...document } = JSON.parse(text)
    expect(createHash('sha256').update(canonicalize(document)).digest('hex')).toBe(sha256)
    const key = parseVerifierKey(signature.verifierKey)
    const reading = verifyCheckpoint(key ? [key] : [], t.orgId, signature.note, 'statement')
    expect(reading).toEqual({ status: 'verified', head: { seq: document.number, hash: sha256 } })
    expect(await (await download('format=json')).text()).toBe(text)
    const rows = await t.server.app.db.reader.all<{ action: string }>(
      "SELECT action FROM audit_log WHERE org_id = ? AND action = 'org.statement_exported'",
      [t.orgId],
    )
    expect(rows).toHaveLength(2)
  })

  it.skipIf(!canReadPdf)('says the same on paper, with the hash of its JSON', async () => {
    for (const locale of ['en', 'hi']) {
      const { sha256 } = JSON.parse(await (await download(`locale=${locale}`)).text())
      const pdf = readPdf(Buffer.from(await (await download(`format=pdf&locale=${locale}`)).arrayBuffer()))
      expect(pdf.text.replaceAll(/\s+/g, '')).toContain(sha256)
    }
  })

  it('says the same sentences as the consent document and the invitation', async () => {
    await set({
      controller: 'Example Ltd, Pune',
      lawfulBasis: 'legitimate_interests',
      contact: 'privacy@example.org',
      alternative: 'An interview in our office.',
    })
    const api = t.server.client(t.server.orgs[0].liveKey)
    const { data: session } = await api.call('sessions.create', { body: { candidateLabel: 'Asha' } })
    await asMember(t.server, 'portal.invitations.create', {
      params: { orgId: t.orgId, id: session.id },
      body: { email: 'asha@example.org' },
    })
    await t.server.processAll()
    const mail = (await readOutbox(t.server)).find(({ to }) => to.includes('asha@example.org'))
    if (!mail) throw new Error('nobody was invited')
    for (const locale of ['en', 'hi']) {
      const shown = await textsOf('organisation', locale)
      const agent = t.server.client(session.agentJoinToken)
      const told = (await agent.call('agent.sessions.config', { params: { id: session.id }, query: { locale } })).data
      expect(told.consentDocument.notice).toEqual(shown)
      const page = await t.server.client(tokenIn(mail)).call('invitations.inspect', { body: { locale } })
      expect(page.data.consentDocument.notice).toEqual(shown)
      expect(shown.join()).toContain('An interview in our office.')
    }
    await set({})
    expect(await textsOf('organisation')).toContainEqual(expect.stringContaining('has not named the lawful basis'))
  })

  it('mails one line when retention goes from 90 to 30 days, once, to whoever may read it', async () => {
    const retention = retentionOf(t.server)
    const owner = await t.member('owner')
    const reviewer = await t.member('reviewer')
    await retention.put(90)
    const told = await toldOf(() => retention.put(30))
    expect(told).toHaveLength(1)
    expect(told[0]?.to).toContain(owner.email)
    expect(told[0]?.to).not.toContain(reviewer.email)
    expect(told[0]?.text).toContain('1 sentence of its statement')
    expect(quoted(told[0] as { text: string })).toEqual([
      expect.stringMatching(/^> Before: .*kept for 90 days/),
      expect.stringMatching(/^> Now: .*kept for 30 days/),
    ])
    expect(await toldOf(() => retention.put(30))).toEqual([])
    expect(await toldOf(async () => undefined)).toEqual([])
    expect(
      await toldOf(async () => {
        await retention.put(60)
        await retention.put(30)
      }),
    ).toEqual([])
  })

  it('is compared for every other organisation where that of one cannot be', async () => {
    const spoil = (sentences: string) =>
      t.server.app.db.transact((tx) =>
        tx.run('UPDATE org_statements SET sentences = ?, compare_at = 0 WHERE org_id = ?', [
          sentences,
          t.server.orgs[1].orgId,
        ]),
      )
    const before = await t.server.app.db.reader.get<{ sentences: string }>(
      'SELECT sentences FROM org_statements WHERE org_id = ?',
      [t.server.orgs[1].orgId],
    )
    await spoil('spoiled')
    expect(await toldOf(() => retentionOf(t.server).put(45))).toHaveLength(1)
    await spoil(before?.sentences ?? '')
  })

  it('tells nobody of what another organisation changes', async () => {
    const other = t.server.client(t.server.orgs[1].liveKey)
    const told = await toldOf(() =>
      other.call('webhooks.create', { body: { url: 'https://elsewhere.example.org', eventTypes: ['*'] } }),
    )
    expect(told.map(({ text }) => text).join()).toContain('elsewhere.example.org')
    const owner = await t.member('owner')
    for (const { to } of told) expect(to).not.toContain(owner.email)
  })

  it('changes with a policy, a role and a webhook, a line for each', async () => {
    const owner = await t.member('owner')
    const told = await toldOf(async () => {
      await policiesOf(t.server).save({ config: { aids: { offered: ['dictation'] }, signals: false } })
      await t.create(owner, ['report.view'])
      await t.server
        .client(t.server.orgs[0].liveKey)
        .call('webhooks.create', { body: { url: 'https://own.example.org', eventTypes: ['*'] } })
    })
    const lines = told.flatMap(quoted)
    for (const words of ['Dictation is used', 'read reports', 'own.example.org'])
      expect(
        lines.filter((line) => line.includes(words)),
        words,
      ).toHaveLength(1)
  })

  it('is for those who may look into the audit trail, and its settings for those who manage the organisation', async () => {
    const asked = asMember(t.server, 'portal.compliance.sentences', { params: params() }, 'reviewer')
    expect(await refusalOf(asked)).toMatchObject({ status: 403 })
    const setting = asMember(t.server, 'portal.orgs.dataProtection.set', { params: params(), body: {} }, 'reviewer')
    expect(await refusalOf(setting)).toMatchObject({ status: 403 })
    expect(await refusalOf(set({ contact: 'nobody' }))).toMatchObject({ status: 400 })
  })
})

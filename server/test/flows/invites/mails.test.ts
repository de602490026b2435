import { inviteDays } from '@integrity/protocol'
import type { Email } from 'postal-mime'
import { expect, it } from 'vitest'
import { parseOutbox } from '../../test-support/mail.ts'
import { describeInvites } from './invites.test-support.ts'

const linkIn = /http\S+\/invite\/#(inv_\w+)\.(inv_\w+)/

describeInvites('the message with an invite', (t, { invite, invites, resend, revoke, accept, inspect, tokenOf }) => {
  const mailsTo = async (email: string): Promise<Email[]> => {
    await t.server.processAll()
    return (await parseOutbox(t.server)).filter(({ to }) => to?.some(({ address }) => address === email))
  }

  it('says who invites as what, until when and in which words, as text and as HTML, and its token accepts', async () => {
    const owner = await t.member('owner')
    const message = 'We would be glad.\n<b>Really</b>'
    const made = await invite(owner, { role: 'admin', message })
    const [mail, ...more] = await mailsTo(made.email)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Org \d+ invites you$/)
    expect(mail?.replyTo?.map(({ address }) => address)).toEqual([owner.email])
    for (const said of ['administrator', '> We would be glad.', '> <b>Really</b>', 'answer this message'])
      expect(mail?.text).toContain(said)
    expect(mail?.html).toContain('lang="en"')
    expect(mail?.html).toContain('&lt;b&gt;Really&lt;/b&gt;')
    expect(mail?.html).not.toMatch(/<b>|<img|<script/)
    const [url, id, token = ''] = linkIn.exec(mail?.text ?? '') ?? []
    expect(id).toBe(made.id)
    expect(mail?.html).toContain(`<a href="${url}">`)
    expect((await invites(owner)).items[0]).toMatchObject({
      id: made.id,
      delivery: 'sent',
      sentAt: new Date(t.server.clock.now()).toISOString(),
    })
    expect((await accept({ token, name: 'Asha', password: 'nine lanterns over a quiet harbour' })).status).toBe(200)
  })

  it('is written in Hindi where that was asked for', async () => {
    const owner = await t.member('owner')
    const made = await invite(owner, { locale: 'hi-IN' })
    const [mail] = await mailsTo(made.email)
    expect(mail?.subject).toMatch(/^Org \d+ आपको आमंत्रित करता है$/)
    expect(mail?.text).toContain('समीक्षक')
    expect(mail?.html).toContain('lang="hi"')
    for (const words of [mail?.text ?? '', mail?.html?.replace(/<style>.*<\/style>/s, '') ?? ''])
      expect(words).not.toMatch(/\{\w+\}|undefined/)
  })

  it('is sent again with another link, and the first link no longer works', async () => {
    const owner = await t.member('owner')
    const made = await invite(owner)
    await mailsTo(made.email)
    expect(await resend(owner, made.id)).toMatchObject({ delivery: 'queued', sentAt: null })
    const tokens = (await mailsTo(made.email)).map(({ text }) => linkIn.exec(text ?? '')?.[2] ?? '')
    const statuses = await Promise.all(tokens.map(async (token) => (await inspect(token)).status))
    expect(statuses.sort()).toEqual(['pending', 'replaced'])
  })

  it('is not sent of an invite that was revoked, replaced or is over when its turn comes', async () => {
    const owner = await t.member('owner')
    const [revoked, replaced] = [await invite(owner), await invite(owner)]
    await revoke(owner, revoked.id)
    await resend(owner, replaced.id)
    expect(await mailsTo(revoked.email)).toEqual([])
    expect(await mailsTo(replaced.email)).toHaveLength(1)
    const late = await invite(owner)
    t.server.clock.advance(inviteDays * 86_400_000)
    expect(await mailsTo(late.email)).toEqual([])
  })

  it('alone holds the token: no row and no answer does', async () => {
    const owner = await t.member('owner')
    const made = await invite(owner)
    const token = await tokenOf(made)
    const { reader } = t.server.app.db
    const rows = [
      await reader.all('SELECT * FROM invites'),
      await reader.all('SELECT * FROM invite_links'),
      await reader.all('SELECT * FROM jobs'),
      await reader.all('SELECT * FROM audit_log'),
      made,
      await invites(owner),
    ]
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

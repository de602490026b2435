import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { logoSide, maxLogoBytes, ownPalette } from '@integrity/protocol'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { picture } from '../../test-support/capture-session.ts'
import { invitedSession } from '../../test-support/invitations.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { scheduleSession, type World } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describePeople } from '../people/people.test-support.ts'

const palette = { accent: '#0b57d0', accentText: '#ffffff', background: '#ffffff', text: '#1b1f24' }
const base64 = (bytes: Buffer) => bytes.toString('base64')
/** A good picture with something behind it, so many bytes together. */
const padded = async (size: number, filling = ' ') => {
  const bytes = await picture('png', 20, 20)
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length, filling)])
}

describePeople('how an organisation looks', (t) => {
  const params = () => ({ orgId: t.orgId })
  const get = () => asMember(t.server, 'portal.branding.get', { params: params() })
  const set = (body: object) => asMember(t.server, 'portal.branding.set', { params: params(), body })
  const setLogo = (bytes: Buffer, contentType = 'image/png') =>
    asMember(t.server, 'portal.branding.logo.set', {
      params: params(),
      body: { contentType: contentType as 'image/png', data: base64(bytes) },
    })
  const shown = async (orgId = t.orgId) => (await t.server.client().call('branding.public', { params: { orgId } })).data
  const fetchLogo = (query = '') => fetch(`${t.server.url}/v1/orgs/${t.orgId}/branding/logo${query}`)

  it("is the product's own where nothing was set, and nobody's where there is no organisation", async () => {
    const { config, resolved } = await get()
    expect(config).toEqual({ updatedAt: null })
    expect(resolved).toEqual({
      orgId: t.orgId,
      displayName: expect.any(String),
      palette: ownPalette,
      logo: null,
      privacyContact: null,
      welcome: null,
    })
    expect(await shown()).toEqual(resolved)
    expect((await fetchLogo()).status).toBe(404)
    expect(await refusalOf(shown('org_nobody'))).toMatchObject({ status: 404 })
  })

  it('is what was set, at once, wherever a candidate looks, and of nobody else', async () => {
    const body = { displayName: 'Harbour & Sons', palette, privacyContact: 'privacy@example.org', welcome: 'Welcome!' }
    const { resolved } = await set(body)
    expect(resolved).toMatchObject(body)
    const { url } = await setLogo(await picture('png', 200, 50))
    const { orgId, liveKey } = t.server.orgs[0]
    const world = { server: t.server, scope: { orgId, environment: 'live' }, key: liveKey } as World
    const { token } = await invitedSession(world)
    const joined = await t.server.client(token).call('invitations.inspect', { body: {} })
    expect(joined.data.org).toEqual({
      name: 'Harbour & Sons',
      brand: {
        primaryColor: palette.accent,
        palette,
        logoUrl: url,
        privacyContact: 'privacy@example.org',
        welcome: 'Welcome!',
      },
    })
    expect((await shown(t.server.orgs[1].orgId)).palette).toEqual(ownPalette)
    // It is replaced as a whole; the logo has a call of its own.
    await set({})
    expect(await shown()).toMatchObject({ palette: ownPalette, welcome: null, logo: { url } })
    const plain = await t.server.client(token).call('invitations.inspect', { body: {} })
    expect(plain.data.org.brand).toEqual({ logoUrl: url })
    const said = (await auditRowsOf(t.server, 'branding.changed')).map(({ payload }) => payload)
    expect(said).toContainEqual({ logo: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await asMember(t.server, 'portal.branding.logo.remove', { params: params() })
  })

  it('is told to an application that has joined, as soon as it asks again', async () => {
    const { id, agent } = await scheduleSession(t.server.client(t.server.orgs[0].liveKey))
    const read = (etag = '') =>
      t.server.client(agent).call('agent.sessions.config', { params: { id }, headers: { 'if-none-match': etag } })
    const before = (await read()).headers.get('etag') ?? ''
    expect((await read(before)).status).toBe(304)
    await set({ displayName: 'Harbour & Sons', palette })
    const { status, data, headers } = await read(before)
    expect([status, data.org]).toEqual([
      200,
      { name: 'Harbour & Sons', brand: expect.objectContaining({ palette, primaryColor: palette.accent }) },
    ])
    expect((await read(headers.get('etag') ?? '')).status).toBe(304)
    await set({})
  })

  it('refuses a palette that cannot be read, with each pair and its ratio', async () => {
    const before = await get()
    const pale = { accent: '#8ab4f8', accentText: '#ffffff', background: '#ffffff', text: '#8c959f' }
    expect(await refusalOf(set({ palette: pale }))).toMatchObject({
      status: 400,
      details: [
        { path: 'palette.accent', message: 'accentText on accent is 2.1 : 1, needs 4.5 : 1' },
        { path: 'palette.accent', message: 'accent on background is 2.1 : 1, needs 4.5 : 1' },
        { path: 'palette.text', message: 'text on background is 3 : 1, needs 4.5 : 1' },
      ],
    })
    expect(await get()).toEqual(before)
  })

  it('takes a pair that can just be read, and not the next paler one', async () => {
    await set({ palette: { ...palette, text: '#767676' } })
    expect(await refusalOf(set({ palette: { ...palette, text: '#777777' } }))).toMatchObject({
      status: 400,
      details: [{ path: 'palette.text', message: 'text on background is 4.4 : 1, needs 4.5 : 1' }],
    })
    await set({})
  })

  it.each([
    [{ displayName: 'Two\nlines' }, 'displayName'],
    [{ displayName: '' }, 'displayName'],
    [{ welcome: 'x'.repeat(501) }, 'welcome'],
    [{ privacyContact: 'javascript:alert(1)' }, 'privacyContact'],
    [{ privacyContact: 'a@b.example?bcc=c@d.example' }, 'privacyContact'],
    [{ palette: { ...palette, accent: 'red' } }, 'palette.accent'],
    [{ palette: { accent: '#000000' } }, 'palette.accentText'],
  ])('refuses %j', async (body, path) => {
    const refused = await refusalOf(set(body))
    expect([refused.status, refused.details?.[0]?.path]).toEqual([400, path])
  })

  it('has a logo that is written anew: pixels alone, of 512 at most', async () => {
    const note = { exif: { IFD0: { Copyright: 'a secret place' } } }
    const large = await sharp(await picture('png', 1400, 700))
      .withMetadata(note)
      .jpeg()
      .toBuffer()
    expect(large.includes('a secret place')).toBe(true)
    const logo = await setLogo(large, 'image/jpeg')
    expect(logo).toMatchObject({ contentType: 'image/png', width: logoSide, height: logoSide / 2 })
    const answer = await fetch(logo.url.replace(t.server.app.config.baseUrl, t.server.url))
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes).toHaveLength(logo.sizeBytes)
    expect(bytes.includes('a secret place')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 512, height: 256 })
    expect((await fetchLogo('?v=0000000000000000')).headers.get('cache-control')).toBe('no-cache')
    const next = await setLogo(await picture('png', 10, 10))
    expect(next.url).not.toBe(logo.url)
    expect(next).toMatchObject({ width: 10, height: 10 })
    for (let n = 0; n < 2; n++)
      expect(await asMember(t.server, 'portal.branding.logo.remove', { params: params() })).toEqual({ deleted: true })
    expect((await fetchLogo()).status).toBe(404)
  })

  it('has a logo the way up that its camera said', async () => {
    const lying = await sharp(await picture('png', 40, 20))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(await setLogo(lying, 'image/jpeg')).toMatchObject({ width: 20, height: 40 })
    await asMember(t.server, 'portal.branding.logo.remove', { params: params() })
  })

  it('takes what is appended to a picture for nothing', async () => {
    await setLogo(await padded(maxLogoBytes, '<script>alert(1)</script>'))
    const kept = Buffer.from(await (await fetchLogo()).arrayBuffer())
    expect(kept.includes('<script>')).toBe(false)
    await asMember(t.server, 'portal.branding.logo.remove', { params: params() })
  })

  it.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'image/png'],
    ['nothing', () => Buffer.from('x'), 'image/png'],
    ['another type than it says', () => picture('jpeg', 10, 10), 'image/png'],
    ['half a picture', async () => (await picture('png', 60, 60)).subarray(0, 4000), 'image/png'],
    ['a film of two pictures', () => animation(), 'image/webp'],
    ['30,000 pixels a side', () => claiming(30_000, 30_000), 'image/png'],
    ['more pixels than any logo needs', () => claiming(6000, 5000), 'image/png'],
    ['more bytes than may come', () => padded(maxLogoBytes + 1), 'image/png'],
    ['a program', () => readFileSync(process.execPath).subarray(0, 5000), 'image/webp'],
  ])('refuses %s as a logo', async (_what, make, contentType) => {
    expect(await refusalOf(setLogo(await make(), contentType))).toMatchObject({ status: 400 })
    expect((await fetchLogo()).status).toBe(404)
  })

  it('is changed by those who may alone', async () => {
    const asked = asMember(t.server, 'portal.branding.set', { params: params(), body: {} }, 'reviewer')
    expect(await refusalOf(asked)).toMatchObject({ status: 403 })
  })
})

/** A picture that says it is as large; whoever believed it would take memory for all of it. */
const claiming = async (width: number, height: number): Promise<Buffer> => {
  const bytes = Buffer.from(await picture('png', 10, 10))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  // The chunk's own sum, over its name and what it says.
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

const animation = async (): Promise<Buffer> => {
  const frames = await Promise.all([picture('png', 20, 20), picture('png', 20, 20)])
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
}

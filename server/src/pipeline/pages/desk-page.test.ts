import { describe, expect, it } from 'vitest'
import { pageFor } from '../../kernel/page-links.ts'
import { deskPages } from './desk-page.ts'

const config = { baseUrl: '' } as Parameters<typeof pageFor>[0]['config']
const id = 'ses_01jd0000000000000000000000'
const shown = async (path: string): Promise<string> => {
  let body = ''
  const koa = {
    acceptsEncodings: () => 'identity',
    set: () => undefined,
    get: () => '',
    set body(bytes: Buffer) {
      body = bytes.toString('utf8')
    },
  }
  await deskPages()
    .get(path)
    ?.send(koa as never)
  return body
}

describe('the addresses of the desk', () => {
  it.each([
    [{ kind: 'session', id }, `#see.session.${id}`],
    [{ kind: 'report', id }, `#see.report.${id}`],
    [{ kind: 'candidate_request', id: id.replace('ses', 'crr') }, '#see.candidate_request.crr_'],
    [{ kind: 'reviews' }, '#see.reviews'],
    [{ kind: 'access_requests' }, '#see.access_requests'],
  ] as const)('%o has a page that says what it is and leads to a sign-in', async (subject, link) => {
    const page = await shown(pageFor({ config }, subject))
    expect(page).toContain(`<a href="/account/${link}`)
    if ('id' in subject) expect(page).toContain(subject.id)
  })

  it('with the name of an organisation lead to the same, and any other path has a page as well', async () => {
    expect(await shown(`/desk/harbour/review/${id}`)).toContain(`#see.report.${id}`)
    for (const path of ['/desk/', '/desk/nobody/knows/this', '/desk/requests/ses_x'])
      expect(await shown(path)).toContain('<a href="/account/">')
  })

  it('repeat nothing of an address that is no id', async () => {
    expect(await shown('/desk/interviews/ses_<script>')).not.toContain('script')
  })
})

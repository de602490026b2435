import { describe, expect, it } from 'vitest'
import { accessTexts } from './areas/access.ts'
import { accountTexts } from './areas/account.ts'
import { consentTexts } from './areas/consent.ts'
import { consentTableTexts } from './areas/consent-table.ts'
import { evidenceTexts } from './areas/evidence.ts'
import { helpTexts } from './areas/help.ts'
import { invitationTexts } from './areas/invitation.ts'
import { inviteTexts } from './areas/invite.ts'
import { linkTexts } from './areas/link.ts'
import { passwordTexts } from './areas/password.ts'
import { phoneTexts } from './areas/phone.ts'
import { productTexts } from './areas/product.ts'
import { requestsTexts } from './areas/requests.ts'
import { roomTexts } from './areas/room.ts'
import { windowCheckTexts } from './areas/window-check.ts'
import { windowConsentTexts } from './areas/window-consent.ts'
import { windowGeneralTexts } from './areas/window-general.ts'
import { windowProblemsTexts } from './areas/window-problems.ts'
import { windowRecordingTexts } from './areas/window-recording.ts'
import { catalogueOf, textsIn } from './catalogue.ts'
import { languages } from './languages.ts'

describe('a catalogue', () => {
  it('has every language of the list, with all texts of its areas', () => {
    const catalogue = catalogueOf(linkTexts, invitationTexts)
    expect(catalogue.map(({ code, name, direction }) => ({ code, name, direction }))).toEqual(
      languages.map(({ code, name, direction }) => ({ code, name, direction })),
    )
    for (const { code } of languages)
      expect(textsIn(catalogue, code)).toEqual({ ...linkTexts[code], ...invitationTexts[code] })
  })

  it.each([
    ['invitation', [productTexts, linkTexts, invitationTexts]],
    ['requests', [productTexts, linkTexts, requestsTexts, evidenceTexts]],
    ['access', [productTexts, linkTexts, accessTexts]],
    ['password', [productTexts, linkTexts, passwordTexts]],
    ['invite', [productTexts, linkTexts, inviteTexts]],
    ['account', [productTexts, linkTexts, accountTexts]],
    ['room', [productTexts, helpTexts, roomTexts, consentTexts, consentTableTexts]],
    ['phone', [productTexts, phoneTexts, consentTexts]],
    [
      'window',
      [
        productTexts,
        helpTexts,
        windowGeneralTexts,
        consentTexts,
        consentTableTexts,
        windowConsentTexts,
        windowCheckTexts,
        windowRecordingTexts,
        windowProblemsTexts,
        evidenceTexts,
      ],
    ],
  ])('gives no name twice: %s', (_client, areas: readonly { readonly en: object }[]) => {
    const names = areas.flatMap(({ en }) => Object.keys(en))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

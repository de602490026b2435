import { describe, expect, it } from 'vitest'
import { invitationTexts } from './areas/invitation.ts'
import { linkTexts } from './areas/link.ts'
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
})

import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { consentTableTexts } from '@integrity/protocol/texts/areas/consent-table'
import { deskPeoplePagesTexts } from '@integrity/protocol/texts/areas/desk-people-pages'
import { type Catalogue, catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'
import { type Spoken, SpokenLanguage, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { ComponentType, FunctionComponent } from 'react'
import { type DeskText, deskLanguages } from '../../words/desk.ts'

/** They come with these pages: the desk itself loads none of them. */
const own = catalogueOf(consentTexts, consentTableTexts, deskPeoplePagesTexts)

export type PeopleText = DeskText | TextOf<typeof own>

const together = deskLanguages.map(({ texts, ...language }, index) => ({
  ...language,
  texts: { ...texts, ...own[index]?.texts },
})) as unknown as Catalogue<PeopleText>

/** How these pages speak. */
export const useLanguage: () => Spoken<PeopleText> = useSpoken

/** The language is chosen at the head of the desk. */
const nowhere = (): void => undefined

/** A page with the texts of this room beside those of the desk. */
export const inPeopleLanguage = <Props extends object>(Page: ComponentType<Props>): FunctionComponent<Props> =>
  function InPeopleLanguage(props: Props) {
    const { language } = useSpoken()
    const spoken = together.find(({ code }) => code === language.code) ?? together[0]
    return (
      <SpokenLanguage languages={together} language={spoken} onChoose={nowhere}>
        <Page {...props} />
      </SpokenLanguage>
    )
  }

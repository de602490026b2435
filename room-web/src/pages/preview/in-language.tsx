import type { Catalogue } from '@integrity/protocol/texts/catalogue'
import { SpokenLanguage, type UiText } from '@integrity/shared-ui/web/spoken'
import type { ReactNode } from 'react'

interface Props {
  readonly languages: Catalogue<UiText>
  readonly code: string
  readonly children: ReactNode
}

/** Everything inside in the language that the desk asks for. */
export const InLanguage = ({ languages, code, children }: Props) => (
  <SpokenLanguage
    languages={languages}
    language={languages.find((language) => language.code === code) ?? languages[0]}
    onChoose={() => undefined}
  >
    {children}
  </SpokenLanguage>
)

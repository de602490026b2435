import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useState } from 'react'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import type { Sso } from './sso-words.ts'
import { useEveryMember } from './use-every-member.ts'
import { withoutPassword } from './without-password.ts'

/** So many names stand on the page at once. */
const pageSize = 50

interface NamesProps {
  readonly of: readonly { readonly id: string; readonly name: string | null; readonly email: string }[]
}

/** A page of names, with the way to the others. */
const Names = ({ of }: NamesProps) => {
  const { t } = useLanguage()
  const [first, setFirst] = useState(0)
  const shown = of.slice(first, first + pageSize)
  const last = first + shown.length
  return (
    <>
      <ul>
        {shown.map(({ id, name, email }) => (
          <li key={id}>{name === null ? email : `${name}, ${email}`}</li>
        ))}
      </ul>
      {of.length > pageSize ? (
        <>
          <p role="status">{t('connectionsConcernedPage', { first: first + 1, last, count: of.length })}</p>
          <Actions>
            {first > 0 ? <Button onClick={() => setFirst(0)}>{t('firstPage')}</Button> : null}
            {last < of.length ? <Button onClick={() => setFirst(last)}>{t('nextPage')}</Button> : null}
          </Actions>
        </>
      ) : null}
    </>
  )
}

/** Whose passwords stop working here: how many of all members, and each by name. */
export const Concerned = ({ sso: { domains } }: { readonly sso: Sso }) => {
  const { t } = useLanguage()
  return (
    <Loaded question={useEveryMember()}>
      {(all) => {
        const concerned = withoutPassword(all, domains)
        return (
          <>
            <p>{t('connectionsConcerned', { count: concerned.length, members: all.length })}</p>
            <Names of={concerned} />
          </>
        )
      }}
    </Loaded>
  )
}

import type { Route } from '../data/route.ts'
import { useLanguage } from './language.ts'
import { Link } from './link.tsx'

interface Props {
  readonly shown: number
  readonly total: number
  /** This is not the first page. */
  readonly first: Route | undefined
  readonly next: Route | undefined
}

/** How much of a list is on this page, and the ways to the others. Back is the browser's. */
export const Pager = ({ shown, total, first, next }: Props) => {
  const { t } = useLanguage()
  return (
    <p className="pager">
      <span>{t('shownOf', { shown, total })}</span>
      {first ? <Link to={first}>{t('firstPage')}</Link> : null}
      {next ? <Link to={next}>{t('nextPage')}</Link> : null}
    </p>
  )
}

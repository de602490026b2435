import { Notice } from '@integrity/shared-ui/web/shell'
import type { SectionRoute } from '../../../data/route.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Link } from '../../../parts/link.tsx'

interface Props {
  /** What is left to do. */
  readonly note: string
  readonly back: SectionRoute
}

/** Stands where a connection was. */
export const Removed = ({ note, back }: Props) => {
  const { t } = useLanguage()
  return (
    <>
      <div role="status">
        <Notice>
          <p>{t('connectionsRemoved')}</p>
          {note === '' ? null : <p>{note}</p>}
        </Notice>
      </div>
      <p>
        <Link to={back}>{t('connectionsAll')}</Link>
      </p>
    </>
  )
}

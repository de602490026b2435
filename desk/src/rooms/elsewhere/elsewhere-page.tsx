import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import type { DeskText } from '../../words/desk.ts'

interface Props {
  readonly title: DeskText
  readonly text: DeskText
  readonly id?: string
}

/** Where an address leads to something that the desk has no page for. */
export const ElsewherePage = ({ title, text, id = '' }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  return (
    <Page title={t(title)}>
      <p>{t(text, { id })}</p>
      <p>
        <Link to={{ room: 'today', org: org.slug }}>{t('toToday')}</Link>
      </p>
    </Page>
  )
}

import { Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import type { ListQuery, SectionRoute } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { Pager } from '../../../parts/pager.tsx'
import type { Attempt } from '../../../parts/use-attempt.ts'

export interface LogRow {
  readonly id: string
  readonly what: string
  /** How it stands, when, and whose. */
  readonly about: string
  /** Why it failed, in the service's words. */
  readonly problem: string | null
  readonly mayReplay: boolean
}

interface Props {
  readonly place: SectionRoute
  readonly states: readonly { readonly id: string; readonly label: string }[]
  readonly rows: readonly LogRow[]
  readonly total: number
  readonly nextCursor: string | null
  readonly replaying: Attempt
  readonly onReplay: (id: string) => void
}

const Row = ({ row, replaying, onReplay }: Pick<Props, 'replaying' | 'onReplay'> & { readonly row: LogRow }) => {
  const { t } = useLanguage()
  return (
    <li>
      <span>{row.what}</span>
      <span className="small">{row.about}</span>
      {row.problem === null ? null : <span>{row.problem}</span>}
      {row.mayReplay ? (
        <Button
          busy={replaying.busy}
          aria-label={t('connectionsReplayOf', { what: `${row.what}, ${row.about}` })}
          onClick={() => onReplay(row.id)}
        >
          {t('connectionsReplay')}
        </Button>
      ) : null}
    </li>
  )
}

/** What came in and went out, narrowed and paged by the address; what failed can be run again. */
export const Log = ({ place, states, rows, total, nextCursor, replaying, onReplay }: Props) => {
  const { t } = useLanguage()
  const { navigation } = useDesk()
  const { status = '', cursor } = place.query
  const narrowed: ListQuery = status === '' ? {} : { status }
  return (
    <Section title={t('connectionsLog')}>
      <SelectField
        label={t('connectionsLogState')}
        value={status}
        options={[{ id: '', label: t('anyState') }, ...states]}
        onChange={(id) => navigation.go({ ...place, query: id === '' ? {} : { status: id } })}
      />
      <Outcome of={replaying} done={t('connectionsReplayed')} />
      {rows.length === 0 ? <p>{t('connectionsNoLog')}</p> : null}
      <ul className="plain rows">
        {rows.map((row) => (
          <Row key={row.id} row={row} replaying={replaying} onReplay={onReplay} />
        ))}
      </ul>
      <Pager
        shown={rows.length}
        total={total}
        first={cursor === undefined ? undefined : { ...place, query: narrowed }}
        next={nextCursor === null ? undefined : { ...place, query: { ...narrowed, cursor: nextCursor } }}
      />
    </Section>
  )
}

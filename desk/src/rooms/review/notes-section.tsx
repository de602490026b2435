import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'
import { RemarkForm } from './remark-form.tsx'

const NoteForm = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { own } = useDesk()
  const writing = useWrite('portal.notes.list', 'portal.report')
  return (
    <RemarkForm
      about={id}
      label={t('noteLabel')}
      help={t('noteHelp')}
      button={t('noteSave')}
      writing={writing}
      onWords={(text, idempotencyKey) =>
        own.call('portal.notes.add', { params: { id }, body: { text }, idempotencyKey })
      }
    />
  )
}

/** What the organisation's people wrote beside the report, and where one more is written. */
export const NotesSection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const mayWrite = useMay('report.annotate')
  const notes = useEndpoint('portal.notes.list', { params: { id }, query: { limit: 100 } })
  return (
    <Section title={t('notesTitle')}>
      <Loaded question={notes}>
        {({ items, total }) => (
          <>
            {total === 0 ? <p>{t('notesNone')}</p> : null}
            {items.map(({ id: noteId, text, author, createdAt }) => (
              <blockquote key={noteId} className="written">
                <p>{text}</p>
                <footer>
                  – {author.name}, {dayAndTime(createdAt, locale)}
                </footer>
              </blockquote>
            ))}
            {total > items.length ? <p>{t('shownOf', { shown: items.length, total })}</p> : null}
          </>
        )}
      </Loaded>
      {mayWrite ? <NoteForm id={id} /> : null}
    </Section>
  )
}

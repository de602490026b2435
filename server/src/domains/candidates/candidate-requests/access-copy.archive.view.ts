import { ServiceError } from '@integrity/protocol'
import type { LanguageCode } from '@integrity/protocol/texts/languages'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { StorageError } from '../../../platform/storage/types.ts'
import type { StreamedMember } from '../../../platform/zip/zip-stream.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { EvidenceFault } from '../../recording/evidence/evidence.binding.model.ts'
import { fileNameOf, readContent } from '../../recording/evidence/evidence.download.service.ts'
import { evidencePages } from '../../recording/evidence/evidence.service.ts'
import type { EvidenceRow } from '../../recording/evidence/evidence.types.ts'
import { evidenceView } from '../../recording/evidence/evidence.view.ts'
import { type FileOf, writeIndex } from './access-copy.page.view.ts'
import { writeCopy } from './access-copy.view.ts'

export type ArchiveCall = Reads & Needs<'clock' | 'identities' | 'keyring' | 'log' | 'sessionKeys' | 'store'>

const format = 'candidate-access-copy/2'
const about =
  'Your interview data, for programs; index.html shows the same to people. Each object of evidence that is still there is named by its file. Times are in UTC.'

/** An object that cannot be read keeps nobody from the others; whatever else fails, fails the copy. */
const isOwnFault = (error: unknown): boolean =>
  error instanceof EvidenceFault ||
  error instanceof AgeError ||
  error instanceof StorageError ||
  (error instanceof ServiceError && error.code === 'not_found')

async function* from(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done) return
  yield first.value
  yield* rest
}

/**
 * The members of a copy, one after the other: every recording that can be read, the document for programs, and the page for
 * people, which is written last because it says what could not be read.
 */
export async function* archiveMembers(
  call: ArchiveCall,
  session: SessionRow,
  language: LanguageCode,
): AsyncGenerator<StreamedMember> {
  const kept = new Set<string>()
  const fileOf: FileOf = (row) => (kept.has(row.id) ? `recordings/${fileNameOf(row)}` : undefined)
  for await (const page of evidencePages(call, session.id))
    for (const row of page) {
      if (row.erasedAt !== null) continue
      const bytes = readContent(call, { item: row })
      try {
        const first = await bytes.next()
        kept.add(row.id)
        yield { name: `recordings/${fileNameOf(row)}`, bytes: from(first, bytes), isSmall: true }
      } catch (error) {
        if (kept.has(row.id) || !isOwnFault(error)) throw error
        call.log.error({ err: error, evidenceId: row.id }, 'evidence was left out of a copy, as it could not be read')
      }
    }
  const evidenceOf = (row: EvidenceRow) => ({ ...evidenceView(row), file: fileOf(row) ?? null })
  yield { name: 'copy.json', bytes: writeCopy(call, session, { format, about, evidenceOf }) }
  yield { name: 'index.html', bytes: writeIndex(call, session, { language, fileOf }) }
}

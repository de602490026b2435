import { type Command, keyRows } from '@integrity/shared-ui/player/keys'
import { KeysList } from '@integrity/shared-ui/web/keys-list'
import type { RequestsText } from '../../texts/requests.ts'
import { useLanguage } from './language.ts'

/** What only reviewers do: they mark a range, write a note, and go to their next review. */
const reviewers: readonly string[] = ['rangeFrom', 'rangeTo', 'note', 'nextReview'] satisfies Command[]

/** Whether a candidate does it with their own recording. */
export const ownCommand = (command: string): boolean => !reviewers.includes(command)

const rows = keyRows.filter(([, command]) => ownCommand(command))

interface Props {
  readonly open: boolean
  readonly onToggle: (open: boolean) => void
}

/** Every key of this player. */
export const OwnKeys = ({ open, onToggle }: Props) => {
  const { t } = useLanguage()
  return (
    <KeysList
      {...{ rows, open, onToggle }}
      title={t('playKeys')}
      words={(command) => t(`playKey.${command}` as RequestsText)}
    />
  )
}

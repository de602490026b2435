import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Notice } from '@integrity/shared-ui/web/shell'
import type { Permission } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import type { CustomRole, Matrix } from './people.ts'
import { useLanguage } from './people-language.tsx'
import { useRoleEditing } from './use-role-editing.ts'

interface Props {
  readonly id: string
  /** Undefined for a new one. */
  readonly role: CustomRole | undefined
  readonly matrix: Matrix
}

interface PermissionsProps {
  readonly matrix: Matrix
  readonly chosen: readonly Permission[]
  readonly missing: boolean
  readonly onChoose: (permission: Permission, on: boolean) => void
}

/** Those that one does not hold oneself cannot be given. */
const PermissionFields = ({ matrix, chosen, missing, onChoose }: PermissionsProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const lacks = matrix.some(({ permission }) => !org.permissions.includes(permission))
  return (
    <fieldset>
      <legend>{t('peopleMayDo')}</legend>
      {lacks ? <p className="small">{t('peopleGiveOwn')}</p> : null}
      {matrix.map(({ permission }) => (
        <label key={permission} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(permission)}
            disabled={!org.permissions.includes(permission)}
            onChange={({ target }) => onChoose(permission, target.checked)}
          />
          {t(`peopleMay.${permission}`)}
        </label>
      ))}
      <AlertNotice>{missing ? t('peoplePermissionMissing') : null}</AlertNotice>
    </fieldset>
  )
}

/** Saves at once where nobody holds the role; asks with numbers where somebody does. */
const SaveRole = ({ role, editing }: Pick<Props, 'role'> & { readonly editing: ReturnType<typeof useRoleEditing> }) => {
  const { t } = useLanguage()
  const { acting, chosen, check, save } = editing
  const before = role?.permissions ?? []
  const values = {
    n: role?.holders ?? 0,
    added: chosen.filter((one) => !before.includes(one)).length,
    removed: before.filter((one) => !chosen.includes(one)).length,
  }
  if (values.n === 0 || (values.added === 0 && values.removed === 0))
    return (
      <Button kind="main" busy={acting.busy} onClick={() => (check() ? save() : undefined)}>
        {t(acting.busy ? 'sending' : 'peopleSaveCustom')}
      </Button>
    )
  return (
    <ConfirmButton
      label={t('peopleSaveCustom')}
      kind="main"
      title={t('peopleSaveAsk')}
      confirm={t('peopleSaveCustom')}
      cancel={t('cancel')}
      busy={acting.busy}
      before={check}
      onConfirm={save}
    >
      <p>{t('peopleSaveText', values)}</p>
    </ConfirmButton>
  )
}

/** What a role is made of, as others' values are named. */
const useRoleFields = (matrix: Matrix) => {
  const { t } = useLanguage()
  return [
    { name: 'name', label: t('peopleRoleName') },
    { name: 'description', label: t('peopleRoleFor') },
    {
      name: 'permissions',
      label: t('peopleMayDo'),
      show: (list: string) =>
        matrix
          .filter(({ permission }) => list.split(' ').includes(permission))
          .map(({ permission }) => t(`peopleMay.${permission}`))
          .join('; '),
    },
  ]
}

/** Writes a custom role, or removes one. */
export const RoleEditor = ({ id, role, matrix }: Props) => {
  const { t } = useLanguage()
  const named = useRoleFields(matrix)
  const editing = useRoleEditing(id, role, matrix)
  const { draft, acting, met, missing, chosen, choose, remove } = editing
  if (!role && id !== 'new') return <Notice>{t('peopleNoSuchRole')}</Notice>
  const { at } = acting
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <LineField
        name="name"
        label={t('peopleRoleName')}
        value={draft.words.name}
        onChange={(name) => draft.change({ name })}
        error={missing === 'name' ? t('peopleRoleNameMissing') : at('name')}
        maxLength={80}
      />
      <WordsField
        name="description"
        label={t('peopleRoleFor')}
        value={draft.words.description}
        onChange={(description) => draft.change({ description })}
        error={at('description')}
        optional
        maxLength={1000}
      />
      <PermissionFields matrix={matrix} chosen={chosen} missing={missing === 'permissions'} onChoose={choose} />
      <TheirValues met={met} words={draft.words} fields={named} onChange={draft.change} />
      <Outcome of={acting} fields={['name', 'description']} />
      <Actions>
        <SaveRole role={role} editing={editing} />
        {role ? (
          <ConfirmButton
            label={t('peopleDeleteRole')}
            kind="stop"
            title={t('peopleDeleteRole')}
            confirm={t('peopleDeleteRole')}
            confirmKind="stop"
            cancel={t('cancel')}
            busy={acting.busy}
            onConfirm={remove}
          >
            <p>{t('peopleDeleteRoleText', { n: role.holders, name: role.name })}</p>
          </ConfirmButton>
        ) : null}
      </Actions>
    </form>
  )
}

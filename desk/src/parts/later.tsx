import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { type ComponentType, useEffect, useState } from 'react'
import { useLanguage } from './language.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

export type Later<Props> = ComponentType<Props> & {
  /** Begins to load its script before it is shown. */
  readonly begin: () => void
}

/** A component whose script is loaded when it is first shown. It says so, and how to try again where that fails. */
export const later = <Props extends object>(load: Load<Props>): Later<Props> => {
  let loaded: ComponentType<Props> | undefined
  let begun: Promise<ComponentType<Props>> | undefined
  /** One that failed is not held on to: the next asks again. */
  const loading = async (): Promise<ComponentType<Props>> => {
    if (loaded) return loaded
    begun ??= load().finally(() => {
      begun = undefined
    })
    loaded = await begun
    return loaded
  }
  const Shell = (props: Props) => {
    const { t } = useLanguage()
    const [tries, setTries] = useState(1)
    const [failedTry, setFailedTry] = useState(0)
    const [Shown, setShown] = useState(() => loaded)
    useEffect(() => {
      // It may have come since this was drawn.
      loading().then(
        (component) => setShown(() => component),
        () => setFailedTry(tries),
      )
    }, [tries])
    if (Shown) return <Shown {...props} />
    const failed = failedTry === tries
    return (
      <>
        <p role="status">{failed ? null : t('loading')}</p>
        <AlertNotice>{failed ? t('failedOffline') : null}</AlertNotice>
        {failed ? (
          <Actions>
            <Button onClick={() => setTries(tries + 1)}>{t('tryAgain')}</Button>
          </Actions>
        ) : null}
      </>
    )
  }
  // What fails here is said once it is shown.
  return Object.assign(Shell, { begin: () => void loading().catch(() => undefined) })
}

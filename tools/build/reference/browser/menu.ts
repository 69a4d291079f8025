/** Closes the menu when one of its links is followed, or with Escape. */
export function closeMenuAfterChoice(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.menu');
  if (menu === null) return;
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) menu.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

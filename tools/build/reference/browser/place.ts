/** Marks the link to what is being read in the sidebar, and keeps it in sight there. */
export function markCurrentPlace(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.sidebar a[href^="#"]')) {
    const target = document.getElementById(link.hash.slice(1));
    if (target !== null) links.set(target, link);
  }
  const targets = [...links.keys()];
  let current: HTMLAnchorElement | undefined;

  const update = (): void => {
    const place = targets.findLast((target) => target.getBoundingClientRect().top < TOP);
    const link = place && links.get(place);
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    current = link;
    if (link !== undefined) keepInSight(link);
  };
  let waits = false;
  addEventListener(
    'scroll',
    () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        update();
      });
    },
    { passive: true },
  );
  update();
}

/** How far from the top of the window a heading counts as reached, in pixels. */
const TOP = 160;

/** Scrolls the sidebar, and nothing else. */
function keepInSight(link: HTMLElement): void {
  const sidebar = link.closest('.sidebar');
  if (sidebar === null) return;
  const { top, bottom } = link.getBoundingClientRect();
  const box = sidebar.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) {
    sidebar.scrollTop += top - box.top - box.height / 2;
  }
}

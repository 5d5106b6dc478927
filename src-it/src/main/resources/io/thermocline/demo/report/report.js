'use strict';
(function () {
  const { record, series } = JSON.parse(document.getElementById('run').textContent);
  const MOST_DIRECTORIES = 30;
  const charts = [];

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const tierColour = (tier) => css('--tier-' + tier.toLowerCase().replace('_', '-'));
  const percent = (share) => share == null ? 'none' : (share * 100).toFixed(share < 0.0995 && share > 0 ? 1 : 0) + '\u00a0%';
  const number = (value) => Number(value.toPrecision(3)).toLocaleString('en');
  function bytes(count) {
    let unit = 0;
    for (; count >= 999.5 && unit < 6; unit++) {
      count /= 1000;
    }
    return number(count) + '\u00a0' + ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'][unit];
  }
  const isNarrow = () => window.innerWidth < 600;

  // Text goes into the tooltip as text nodes: a file's name is never read as markup.
  function tooltipOf(title, lines) {
    const box = document.createElement('div');
    const head = document.createElement('div');
    head.textContent = title;
    head.style.fontWeight = '600';
    box.append(head);
    for (const line of lines) {
      const row = document.createElement('div');
      if (line.colour) {
        const dot = document.createElement('span');
        dot.style.cssText = 'display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:7px';
        dot.style.background = line.colour;
        row.append(dot);
      }
      row.append(line.text);
      box.append(row);
    }
    return box;
  }

  function base(title) {
    return {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: css('--text') },
      aria: { enabled: true, label: { description: title } },
      tooltip: {
        confine: true,
        backgroundColor: css('--panel'),
        borderColor: css('--line'),
        textStyle: { color: css('--text'), fontSize: 13 },
        extraCssText: 'max-width:320px;white-space:normal;overflow-wrap:anywhere',
      },
    };
  }

  function timeAxis() {
    // Of type 'time', because areas are stacked along a base axis, and two value axes have none.
    return {
      type: 'time', min: 0, max: series.seconds[series.seconds.length - 1] * 1000,
      name: 'seconds since the start', nameLocation: 'middle', nameGap: 26,
      nameTextStyle: { color: css('--soft') },
      axisLabel: { color: css('--soft'), hideOverlap: true, showMaxLabel: false, formatter: (ms) => String(ms / 1000) },
      axisLine: { lineStyle: { color: css('--line') } },
      splitLine: { show: false },
    };
  }

  function percentAxis(name) {
    return {
      type: 'value', min: 0, max: 100, interval: 25,
      name: name, nameLocation: 'end', nameGap: 10,
      nameTextStyle: { color: css('--soft'), align: 'left', padding: [0, 0, 0, -34] },
      axisLabel: { color: css('--soft') },
      splitLine: { lineStyle: { color: css('--line') } },
    };
  }

  const points = (shares) => series.seconds.map((second, i) => [second * 1000, shares[i] == null ? null : shares[i] * 100]);

  // Keeps the end of a path, which tells directories apart; the front is often the same.
  const shorten = (path, most) => path.length <= most ? path : '\u2026' + path.slice(1 - most);

  function heatOption() {
    const { directories, seconds, heat } = record.heat;
    const total = directories.map((_, d) => heat.reduce((sum, row) => sum + row[d], 0));
    // The category axis counts from the bottom: the hottest comes last.
    const order = directories.map((_, d) => d).sort((a, b) => total[b] - total[a]).slice(0, MOST_DIRECTORIES).reverse();
    const cells = [];
    let most = 0;
    order.forEach((d, y) => heat.forEach((row, x) => {
      most = Math.max(most, row[d]);
      cells.push([x, y, Math.log10(1 + row[d]), row[d]]);
    }));
    const narrow = isNarrow();
    const span = seconds[seconds.length - 1] - seconds[0];
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800].find((one) => span / one <= (narrow ? 5 : 12)) || 3600;
    return Object.assign(base('Heat of the ' + order.length + ' hottest directories over time; the hottest is ' + (directories[order[order.length - 1]] || 'none') + '.'), {
      grid: { left: 8, right: 8, top: 8, bottom: 84, containLabel: true },
      xAxis: {
        type: 'category', data: seconds.map((second) => Math.round(second)),
        name: 'seconds since the start', nameLocation: 'middle', nameGap: 26,
        nameTextStyle: { color: css('--soft') },
        axisLabel: { color: css('--soft'), hideOverlap: true, interval: (x) => x === 0 || Math.floor(seconds[x] / step) > Math.floor(seconds[x - 1] / step) },
        axisLine: { show: false }, axisTick: { show: false },
      },
      yAxis: {
        type: 'category', data: order.map((d) => directories[d]),
        axisLabel: { color: css('--text'), fontSize: narrow ? 10 : 12, interval: 0, formatter: (path) => shorten(path, narrow ? 22 : 38) },
        axisLine: { show: false }, axisTick: { show: false },
      },
      visualMap: {
        min: 0, max: Math.log10(1 + most) || 1, dimension: 2, calculable: false,
        orient: 'horizontal', left: 'center', bottom: 0, itemWidth: 12, itemHeight: narrow ? 120 : 220,
        text: [number(most) + ' accesses per GB', '0'], textStyle: { color: css('--soft') },
        inRange: { color: [0, 1, 2, 3, 4].map((i) => css('--heat-' + i)) },
      },
      tooltip: Object.assign(base('').tooltip, {
        formatter: (at) => tooltipOf(directories[order[at.value[1]]], [
          { text: 'at ' + seconds[at.value[0]].toFixed(0) + ' s: ' + at.value[3].toFixed(1) + ' accesses per GB' },
        ]),
      }),
      series: [{ type: 'heatmap', data: cells, emphasis: { itemStyle: { borderColor: css('--text'), borderWidth: 1 } } }],
    });
  }

  function shareOption() {
    return Object.assign(base('Share of reads by storage type over time, stacked to 100 percent.'), {
      grid: { left: 8, right: 16, top: 64, bottom: 28, containLabel: true },
      legend: { top: 0, left: 0, icon: 'roundRect', itemWidth: 12, itemHeight: 12, textStyle: { color: css('--text') } },
      xAxis: timeAxis(),
      yAxis: percentAxis('% of reads'),
      tooltip: Object.assign(base('').tooltip, {
        trigger: 'axis',
        formatter: (at) => tooltipOf((at[0].value[0] / 1000).toFixed(0) + ' s', at.slice().reverse().map((one) => ({
          colour: one.color, text: one.seriesName + ' ' + percent(one.value[1] == null ? null : one.value[1] / 100),
        }))),
      }),
      series: series.tiers.map((tier) => ({
        name: tier, type: 'line', stack: 'reads', data: points(series.readShare[tier]),
        symbol: 'none', color: tierColour(tier),
        lineStyle: { width: 0 }, areaStyle: { opacity: 1 }, emphasis: { disabled: true },
      })),
    });
  }

  function occupancyOption(tier) {
    const capacity = record.samples.map((sample) => sample.tiers[tier]).filter(Boolean).map((one) => one.capacityBytes).pop();
    const line = (name, shares, type) => ({
      name: name, type: 'line', data: points(shares), symbol: 'none', color: css('--soft'),
      lineStyle: { type: type, width: 1.5 },
    });
    return Object.assign(base('Occupancy of ' + tier + ' over time, with its watermarks.'), {
      title: { text: tier + ' {size|' + bytes(capacity) + '}', left: 0, top: 0, padding: [5, 0],
        textStyle: { color: css('--text'), fontSize: 14, fontWeight: 600, rich: { size: { color: css('--soft'), fontSize: 12 } } } },
      grid: { left: 4, right: 14, top: 56, bottom: 28, containLabel: true },
      xAxis: timeAxis(),
      yAxis: percentAxis('% of capacity'),
      tooltip: Object.assign(base('').tooltip, {
        trigger: 'axis',
        formatter: (at) => tooltipOf((at[0].value[0] / 1000).toFixed(0) + ' s', at.map((one) => ({
          colour: one.color, text: one.seriesName + ' ' + percent(one.value[1] == null ? null : one.value[1] / 100),
        }))),
      }),
      series: [
        { name: 'used', type: 'line', data: points(series.occupancy[tier]), symbol: 'none', color: tierColour(tier),
          lineStyle: { width: 2 }, areaStyle: { opacity: 0.25 } },
        line('upper watermark', series.upper[tier], [7, 4]),
        line('lower watermark', series.lower[tier], [2, 5]),
      ],
    });
  }

  function add(element, renderer, option) {
    const chart = echarts.init(element, null, { renderer: renderer });
    const draw = () => chart.setOption(option(), { notMerge: true });
    draw();
    charts.push({ chart: chart, draw: draw });
    new ResizeObserver(() => { chart.resize(); draw(); }).observe(element);
  }

  function orNote(element, has, draw) {
    if (has) {
      draw(element);
    } else {
      element.className = 'note';
      element.textContent = 'The run ended before this was sampled.';
    }
  }

  orNote(document.getElementById('heat'), record.heat.directories.length && record.heat.seconds.length, (element) => {
    element.style.height = 110 + Math.min(MOST_DIRECTORIES, record.heat.directories.length) * 20 + 'px';
    add(element, 'canvas', heatOption);
  });
  orNote(document.getElementById('share'), series.seconds.length > 1, (element) => add(element, 'svg', shareOption));
  orNote(document.getElementById('occupancy'), series.seconds.length > 1, (element) => {
    for (const tier of series.tiers.slice().reverse()) {
      const panel = document.createElement('div');
      element.append(panel);
      add(panel, 'svg', () => occupancyOption(tier));
    }
  });

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach((one) => one.draw()));
})();

//! Plots, as SVG.

use plotters::prelude::*;
use toolkit_bench::Result;

/// Width and height, in pixels.
const SIZE: (u32, u32) = (720, 420);

/// Colors distinguishable to the color-blind.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Curves over two logarithmic axes.
pub(crate) struct Plot {
    /// The file's name, without `.svg`.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// What is on the x axis, and on the y axis.
    pub(crate) axes: [&'static str; 2],
    pub(crate) curves: Vec<Curve>,
}

/// The name of a curve, and its points.
pub(crate) type Curve = (String, Vec<(f64, f64)>);

impl Plot {
    /// The plot as the text of an SVG file.
    pub(crate) fn svg(&self) -> Result<String> {
        let mut text = String::new();
        self.draw(&mut text)
            .map_err(|error| format!("{}: {error}", self.name))?;
        Ok(text + "\n")
    }

    fn draw(&self, text: &mut String) -> Result<()> {
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let [x, y] = [self.range(|point| point.0), self.range(|point| point.1)];
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(76)
            .build_cartesian_2d((x.0..x.1).log_scale(), (y.0..y.1).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .x_label_formatter(&|value| tick(*value))
            .y_label_formatter(&|value| tick(*value))
            .max_light_lines(0)
            .draw()?;
        for ((name, points), colour) in self.curves.iter().zip(COLOURS) {
            let colour = colour.stroke_width(2);
            let line = LineSeries::new(points.iter().copied(), colour).point_size(3);
            let series = chart.draw_series(line)?.label(name);
            series.legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
        }
        chart
            .configure_series_labels()
            // No curve falls, so this corner is free.
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
        Ok(())
    }

    /// From slightly below the smallest value to slightly above the largest.
    fn range(&self, value: fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let points = || self.curves.iter().flat_map(|(_, points)| points).map(value);
        let least = points().fold(f64::INFINITY, f64::min);
        let most = points().fold(0.0, f64::max);
        (least / 1.5, most * 1.5)
    }
}

/// A number at an axis: `1`, `20`, `5 k`, `1 M`.
fn tick(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{} M", value / 1e6),
        value if value >= 1e3 => format!("{} k", value / 1e3),
        value => format!("{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_names_its_axes_and_its_curves() {
        let points = vec![(32.0, 10.0), (1_048_576.0, 900.0)];
        let plot = Plot {
            name: "inputs",
            title: "Inputs",
            axes: ["bytes", "microseconds"],
            curves: vec![("Base64".to_owned(), points)],
        };
        let svg = plot.svg().unwrap();
        assert!(svg.starts_with("<svg "));
        for text in ["Inputs", "bytes", "microseconds", "Base64", "1 M"] {
            assert!(svg.contains(text), "{text}");
        }
    }
}
